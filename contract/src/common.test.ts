import { expect, test } from "vitest";
import { connectionBody } from "./connections.ts";
import { changesOf } from "./common.ts";
import { queues } from "./queues.ts";

test("a change of one field leaves the others alone, defaults or not", () => {
  expect(queues.update.body?.parse({ name: "Vendas" })).toEqual({ name: "Vendas" });
  expect(changesOf(connectionBody).parse({ promptId: null })).toEqual({ promptId: null });
  expect(() => changesOf(connectionBody).parse({ name: "x" })).toThrow(/Too Short/);
});

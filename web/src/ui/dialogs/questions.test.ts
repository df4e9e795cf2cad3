import { expect, test } from "vitest";
import { confirm, onTop } from "./questions.ts";

const question = (title: string) => ({ title, text: "", verb: "Excluir" });

test("a question that another one replaces is answered with no, and is not open any more (Z-01)", async () => {
  const before = onTop();
  const first = confirm(question("Excluir Vendas?"));
  const shown = onTop();
  const second = confirm(question("Excluir Suporte?"));

  expect(await first).toBe(false);
  expect([shown, onTop()]).toMatchObject([{ title: "Excluir Vendas?" }, { title: "Excluir Suporte?" }]);
  const open = onTop();
  if (typeof open === "object") {
    open.answer(true);
  }
  expect([await second, onTop()]).toEqual([true, before]);
});

import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, test } from "vitest";
import { inertSchemas } from "./inertSchemas.ts";

const ENTRY = "\0entry";

/** The code that a browser gets for a module with this text. */
async function bundle(source: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    root: fileURLToPath(new URL("..", import.meta.url)),
    plugins: [
      inertSchemas(),
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? ENTRY : null),
        load: (id) => (id === ENTRY ? source : null),
      },
    ],
    build: { write: false, minify: false, rolldownOptions: { input: "entry" } },
  });
  const outputs = Array.isArray(built) ? built.flatMap(({ output }) => output) : "output" in built ? built.output : [];
  return outputs.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("\n");
}

test("a call carries its path and none of zod", async () => {
  const code = await bundle(`
    import { queues } from "@prosa/contract/queues";
    import { wireEvents } from "@prosa/contract/events";
    globalThis.used = [queues, wireEvents];
  `);

  expect(code).toContain("/queue/:id");
  expect(code).not.toContain("ZodObject");
  expect(code).not.toContain("body: queueBody");
  expect(code).not.toContain("nullable()");
  expect(code).not.toContain("Queues of the company");
  expect(code).not.toContain("queues-page");
});

test("a call that anybody may make says so: its refusal ends no session", async () => {
  const code = await bundle(`import { auth } from "@prosa/contract/auth"; globalThis.used = auth;`);

  expect(code.match(/who: "public"/g)?.length).toBeGreaterThan(1);
  expect(code).not.toContain('who: "session"');
});

test("a form that asks for the schemas gets the real ones", async () => {
  const code = await bundle(`
    import { queueBody } from "#schemas/queues";
    globalThis.used = queueBody;
  `);

  expect(code).toContain("ZodObject");
  expect(code).toContain("Too Short!");
});

test("what the contract computes is no schema: a month later, and the variable that was meant", async () => {
  const code = await bundle(`
    import { addMonths } from "@prosa/contract/due-dates";
    import { unknownVariables } from "@prosa/contract/unknown-variables";
    globalThis.used = [addMonths, unknownVariables];
  `);

  expect(code.match(/Math\.min\(/g)).toHaveLength(2);
});

import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, test } from "vitest";
import { languages } from "./languages.ts";

const web = fileURLToPath(new URL("..", import.meta.url));

/** The chunks that a browser gets for a module of our sources, by name. */
async function chunksFor(entry: string): Promise<ReadonlyMap<string, string>> {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    root: web,
    plugins: [languages()],
    define: { "import.meta.env.PROD": "true" },
    build: {
      write: false,
      minify: false,
      rolldownOptions: {
        input: [entry, "lib/text/other-languages.ts"].map((file) => `${web}src/${file}`),
        preserveEntrySignatures: "strict",
      },
    },
  });
  const outputs = Array.isArray(built) ? built.flatMap(({ output }) => output) : "output" in built ? built.output : [];
  return new Map(
    outputs.flatMap((chunk) => (chunk.type === "chunk" ? [[chunk.facadeModuleId ?? "", chunk.code]] : [])),
  );
}

function chunk(chunks: ReadonlyMap<string, string>, part: string): string {
  return [...chunks].find(([id]) => id.includes(part))?.[1] ?? "";
}

test("only Portuguese travels with the code; the others are in files of their own", async () => {
  const chunks = await chunksFor("features/tickets/tickets.i18n.ts");

  expect(chunk(chunks, "tickets.i18n")).toContain("Nova conversa");
  expect(chunk(chunks, "tickets.i18n")).not.toContain("Nueva conversación");
  expect(chunk(chunks, "es/first")).toContain("Nueva conversación");
  expect(chunk(chunks, "en/first")).not.toContain("Nueva conversación");
  expect(chunk(chunks, "es/rest")).toContain("Etiquetas");
});

test("words that are looked up by the language first are divided too", async () => {
  const chunks = await chunksFor("lib/api/errors.i18n.ts");

  expect(chunk(chunks, "errors.i18n")).toContain("Email ou senha incorretos");
  expect(chunk(chunks, "errors.i18n")).not.toContain("Correo o contraseña incorrectos");
  expect(chunk(chunks, "es/first")).toContain("Correo o contraseña incorrectos");
});

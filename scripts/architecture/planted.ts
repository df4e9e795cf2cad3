import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A small project of the same shape as ours, in which a test plants what must be found. */
const ground: Readonly<Record<string, string>> = {
  "contract/package.json":
    '{ "name": "@prosa/contract", "type": "module", "exports": { ".": "./src/index.ts", "./*": "./src/*.ts" } }',
  "contract/src/index.ts": "export const x = 1;",
  "wa-sim/package.json": '{ "name": "@prosa/wa-sim", "type": "module", "exports": { ".": "./src/index.ts" } }',
  "wa-sim/src/index.ts": "export const x = 1;",
  "server/package.json": '{ "name": "@prosa/server", "type": "module", "imports": { "#server/*": "./src/*" } }',
  "server/src/main.ts": 'import "#server/app/app.ts";',
  "server/src/app/app.ts":
    'import "#server/features/tickets/index.ts"; import "#server/features/tickets/feature.ts"; import "fastify";',
  "server/src/features/tickets/index.ts": 'export * from "./tickets.service.ts"; import "@prosa/contract";',
  "server/src/features/tickets/feature.ts": 'import "./tickets.routes.ts";',
  "server/src/features/tickets/tickets.service.ts":
    'import "./tickets.queries.ts"; import "#server/features/contacts/index.ts"; export const x = 1;',
  "server/src/features/tickets/tickets.routes.ts": 'import "fastify";',
  "server/src/features/tickets/tickets.queries.ts":
    'import "kysely"; import "#server/platform/db/index.ts"; export const q = (db: any) => db.updateTable("tickets").set({ a: 1 });',
  "server/src/features/contacts/index.ts": "export const x = 1;",
  "server/src/platform/db/index.ts": 'import "pg"; import "kysely";',
  "server/src/platform/realtime/index.ts": 'import "socket.io";',
  "server/src/whatsapp/index.ts": "export const x = 1;",
  "server/src/whatsapp/baileys/index.ts": 'import "baileys";',
  "server/src/testing/app.ts": 'import "#server/app/app.ts";',
  "server/migrations/0001_tickets.ts":
    'import "kysely"; export const up = (db: any) => db.schema.createTable("tickets").execute(); export const sql = `create table contacts (id int)`;',
  "web/package.json": '{ "name": "@prosa/web", "type": "module", "imports": { "#web/*": "./src/*" } }',
  "web/src/main.tsx": 'import "#web/app/app.tsx";',
  "web/src/app/app.tsx": 'import "#web/features/tickets/index.ts"; import "@prosa/contract";',
  "web/src/features/tickets/index.ts": 'export * from "./list.tsx";',
  "web/src/features/tickets/list.tsx": 'import "#web/ui/button.tsx"; export const x = 1;',
  "web/src/features/contacts/index.ts": "export const x = 1;",
  "web/src/ui/button.tsx": "export const x = 1;",
  "web/src/lib/api.ts": "export const x = 1;",
};

const packages = ["zod", "fastify", "kysely", "pg", "socket.io", "baileys"];

/** Makes the project with the planted files in it; returns its folder, which disappears with `using`. */
export function plant(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), "architecture-"));

  for (const [path, text] of Object.entries({ ...ground, ...files })) {
    write(root, path, text);
  }
  for (const name of packages) {
    write(root, `node_modules/${name}/package.json`, `{ "name": "${name}", "main": "index.js" }`);
    write(root, `node_modules/${name}/index.js`, "module.exports = {};");
  }
  for (const name of ["contract", "wa-sim"]) {
    mkdirSync(join(root, "node_modules/@prosa"), { recursive: true });
    symlinkSync(join(root, name), join(root, "node_modules/@prosa", name), "junction");
  }

  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

function write(root: string, path: string, text: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

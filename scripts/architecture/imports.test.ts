import { expect, test } from "vitest";
import { root } from "../support/paths.ts";
import { checkImports } from "./imports.ts";
import { plant } from "./planted.ts";
import { sourceFiles } from "./sources.ts";

/** Each row: the rule, the file that breaks it, and what is written there. */
const violations: readonly [rule: string, file: string, text: string][] = [
  ["contract-stands-alone", "contract/src/tickets.ts", 'import "fastify";'],
  ["contract-stands-alone", "contract/src/tickets.ts", 'import "../../server/src/main.ts";'],
  ["direction-server-1", "server/src/platform/db/tenant.ts", 'import "#server/whatsapp/index.ts";'],
  ["direction-server-1", "server/src/platform/db/tenant.ts", 'import "#server/features/tickets/index.ts";'],
  ["direction-server-2", "server/src/whatsapp/port.ts", 'import "#server/features/tickets/index.ts";'],
  ["direction-server-3", "server/src/features/tickets/a.ts", 'import type { App } from "#server/app/app.ts";'],
  ["direction-server-4", "server/src/app/other.ts", 'import "#server/main.ts";'],
  ["direction-web-1", "web/src/ui/list.tsx", 'import "#web/features/tickets/index.ts";'],
  ["direction-web-1", "web/src/lib/client.ts", 'import "#web/app/app.tsx";'],
  ["direction-web-2", "web/src/features/tickets/a.ts", 'import "#web/app/app.tsx";'],
  ["direction-web-3", "web/src/app/other.ts", 'import "#web/main.tsx";'],
  ["server-and-web-meet-in-contract", "server/src/app/a.ts", 'import "../../../web/src/lib/api.ts";'],
  [
    "web-and-server-meet-in-contract",
    "web/src/lib/a.ts",
    'import type { X } from "../../../server/src/platform/db/index.ts";',
  ],
  ["wa-sim-stands-alone", "wa-sim/src/a.ts", 'import "@prosa/contract";'],
  ["product-knows-no-tools", "server/src/app/a.ts", 'import "../../../bench/main.ts";'],
  ["product-knows-no-tests", "server/src/app/a.ts", 'import "#server/testing/app.ts";'],
  ["specified-requests-know-no-contract", "server/src/app/specified-requests/a.ts", 'import "@prosa/contract";'],
  ["enter-server-feature-by-index", "server/src/features/tickets/a.ts", 'import "../contacts/contacts.service.ts";'],
  [
    "enter-server-feature-by-index",
    "server/src/features/tickets/a.ts",
    'import "#server/features/contacts/feature.ts";',
  ],
  ["enter-server-feature-from-outside", "server/src/testing/a.ts", 'import "#server/features/contacts/feature.ts";'],
  ["enter-server-feature-from-app", "server/src/app/a.ts", 'import "#server/features/contacts/contacts.service.ts";'],
  ["enter-web-feature-by-index", "web/src/features/contacts/a.ts", 'import "../tickets/list.tsx";'],
  ["enter-web-feature-from-app", "web/src/app/a.ts", 'import "#web/features/tickets/list.tsx";'],
  [
    "enter-server-room-by-index",
    "server/src/features/tickets/list/list-tickets.ts",
    'import "../merge/merge-tickets.ts";',
  ],
  ["enter-server-room-from-top", "server/src/features/tickets/feature.ts", 'import "./merge/merge-tickets.ts";'],
  ["enter-web-room-by-index", "web/src/features/tickets/row/a.tsx", 'import "#web/features/tickets/bulk/bulk.tsx";'],
  ["enter-web-room-from-top", "web/src/features/tickets/list.tsx", 'import type { X } from "./bulk/bulk.tsx";'],
  ["enter-server-feature-by-index", "server/src/features/contacts/a.ts", 'import "../tickets/merge/index.ts";'],
  ["enter-infrastructure-by-index", "server/src/features/tickets/a.ts", 'import "#server/platform/db/pools/pools.ts";'],
  ["enter-platform-room-from-top", "server/src/platform/db/a.ts", 'import "./pools/pools.ts";'],
  ["enter-baileys-room-by-index", "server/src/whatsapp/baileys/outbound/a.ts", 'import "../inbound/translate.ts";'],
  ["enter-wa-sim-room-from-top", "wa-sim/src/index.ts", 'import "./devices/phone.ts";'],
  ["server-feature-level-2", "server/src/features/contacts/a.ts", 'import "#server/features/tickets/index.ts";'],
  ["web-feature-level-2", "web/src/features/contacts/a.ts", 'import "#web/features/tickets/index.ts";'],
  ["every-feature-has-a-level", "server/src/features/surprises/index.ts", 'import "@prosa/contract";'],
  [
    "home-of-fastify",
    "server/src/features/tickets/tickets.service.ts",
    'import type { FastifyRequest } from "fastify"; export const x = 1;',
  ],
  [
    "home-of-sql",
    "server/src/features/tickets/tickets.service.ts",
    'import { sql } from "kysely"; export const x = 1;',
  ],
  ["home-of-sql", "server/src/app/a.ts", 'import { Pool } from "pg";'],
  ["home-of-socket-io", "server/src/features/tickets/tickets.events.ts", 'import type { Server } from "socket.io";'],
  ["home-of-baileys", "server/src/whatsapp/cloud/a.ts", 'import { proto } from "baileys";'],
  ["every-import-resolves", "server/src/app/a.ts", 'import "#server/platform/nowhere.ts";'],
  ["every-import-resolves", "web/src/app/a.ts", 'const later = () => import("#web/features/nowhere/index.ts");'],
];

/** What makes the violation possible and is in order by itself. */
const neighbours = {
  "bench/main.ts": "export const x = 1;",
  "server/src/features/contacts/contacts.service.ts": "export const x = 1;",
  "server/src/features/contacts/feature.ts": "export const x = 1;",
  "server/src/features/tickets/list/index.ts": "export const x = 1;",
  "server/src/features/tickets/merge/index.ts": 'import "./merge-tickets.ts"; import "../tickets.queries.ts";',
  "server/src/features/tickets/merge/merge-tickets.ts": "export const x = 1;",
  "web/src/features/tickets/row/index.ts": 'import "../bulk/index.ts";',
  "web/src/features/tickets/bulk/index.ts": 'import "./bulk.tsx";',
  "web/src/features/tickets/bulk/bulk.tsx": "export const x = 1;",
  "server/src/platform/db/pools/index.ts": "export const x = 1;",
  "server/src/platform/db/pools/pools.ts": "export const x = 1;",
  "server/src/whatsapp/baileys/inbound/index.ts": "export const x = 1;",
  "server/src/whatsapp/baileys/inbound/translate.ts": "export const x = 1;",
  "server/src/whatsapp/baileys/outbound/index.ts": 'import "../inbound/index.ts";',
  "wa-sim/src/devices/index.ts": "export const x = 1;",
  "wa-sim/src/devices/phone.ts": "export const x = 1;",
};

test.each(violations)("%s is reported for %s: %s", async (rule, file, text) => {
  using project = plant({ ...neighbours, [file]: text });
  const found = await checkImports(project.root);
  expect(found.map((violation) => `${violation.rule} ${violation.file}`)).toContain(`${rule} ${file}`);
});

test("features that need each other are reported, though no module needs itself", async () => {
  using project = plant({
    "server/src/features/messages/index.ts": 'import type {} from "./messages.service.ts";',
    "server/src/features/messages/messages.service.ts": 'import "#server/features/tickets/index.ts";',
    "server/src/features/tickets/tickets.state.ts": 'import type {} from "#server/features/messages/index.ts";',
  });
  const found = await checkImports(project.root);
  expect(found.map(({ rule }) => rule)).toContain("features-form-no-circles");
});

test.each([
  "server/src/features/tickets",
  "web/src/features/tickets",
  "server/src/platform/db",
  "server/src/whatsapp/baileys",
  "wa-sim/src",
])("rooms of %s that need each other are reported, though no module needs itself", async (noun) => {
  using project = plant({
    [`${noun}/send/index.ts`]: 'export const x = 1; import type {} from "./send.ts";',
    [`${noun}/send/send.ts`]: 'import type {} from "../media/index.ts"; export const x = 1;',
    [`${noun}/send/state.ts`]: "export const x = 1;",
    [`${noun}/media/index.ts`]: "export const x = 1;",
    [`${noun}/media/download.ts`]: 'import type {} from "../send/index.ts";',
  });
  const found = await checkImports(project.root);
  expect(found.map(({ rule, file }) => `${rule} ${file}`)).toEqual(
    expect.arrayContaining([`rooms-form-no-circles ${noun}/send`, `rooms-form-no-circles ${noun}/media`]),
  );
});

test("a room that says nothing of what it offers is reported", async () => {
  using project = plant({ "server/src/features/tickets/list/list-tickets.ts": "export const x = 1;" });
  const found = await checkImports(project.root);
  expect(found.map(({ rule, file }) => `${rule} ${file}`)).toContain(
    "every-room-has-an-index server/src/features/tickets/list",
  );
});

test("modules that need each other are reported, also when it is for a type alone", async () => {
  using project = plant({
    "server/src/platform/db/a.ts": 'import { b } from "./b.ts"; export const a = b;',
    "server/src/platform/db/b.ts": 'import { a } from "./a.ts"; export const b = a;',
    "server/src/platform/db/c.ts": 'import type { D } from "./d.ts"; export type C = D;',
    "server/src/platform/db/d.ts": 'import type { C } from "./c.ts"; export type D = C;',
  });
  const found = await checkImports(project.root);
  const files = found.filter(({ rule }) => rule === "modules-form-no-circles").map(({ file }) => file);
  expect(files).toEqual(expect.arrayContaining(["server/src/platform/db/a.ts", "server/src/platform/db/c.ts"]));
});

test("a project in order has no violation", async () => {
  using project = plant(neighbours);
  expect(await checkImports(project.root)).toEqual([]);
});

test("the real project is read whole: no file of it is unknown to the tool", async () => {
  const found = await checkImports(root);
  expect(sourceFiles(root, ["contract/src", "server/src", "web/src", "wa-sim/src"]).length).toBeGreaterThan(50);
  expect(found.filter(({ rule }) => rule === "every-module-is-read")).toEqual([]);
});

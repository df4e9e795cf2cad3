/**
 * Who may import whom. The rules are those of docs/architecture.md, section "Rules"; scripts/architecture runs them,
 * and its test plants a violation of each. A path is relative to the project.
 */

/** Features from low to high. A feature imports its own level and lower ones; it moves a higher one by an event. */
const featureLevels = [
  ["auth", "companies", "users", "plans", "settings", "invoices", "api-keys", "support"],
  ["connections", "queues", "contacts", "contact-lists", "tags", "products", "files", "sending"],
  ["tickets", "messages", "quick-messages", "notes", "devices"],
  ["bot", "knowledge", "prompts", "queue-integrations", "schedules", "campaigns"],
  ["agent-assist", "chats", "announcements", "helps", "dead-jobs", "audit", "storage", "doctor"],
  ["dashboard", "first-steps", "kanban", "setup"],
  ["inbound", "messages-api", "webhooks", "simulator", "privacy", "chat-imports", "company-exports"],
];

const tests = "\\.(test|e2e)\\.tsx?$|^(server|web)/src/testing/|^web/src/features/testing\\.ts$";

/** Matches a package by its name, whether the resolver found it or not. */
function packages(...names) {
  const any = names.join("|");
  return `(^|/)node_modules/(${any})(/|$)|^(${any})(/|$)`;
}

function forbid(name, comment, from, to) {
  return { name, comment, severity: "error", from, to };
}

/** Rule 1: one direction. `order` lists the rooms of a package from the ground up. */
function oneDirection(name, order) {
  return order
    .slice(0, -1)
    .map((room, index) =>
      forbid(
        `direction-${name}-${index + 1}`,
        `Imports point one way: ${order.map((step) => step.label).join(" ← ")}.`,
        { path: room.path, pathNot: tests },
        { path: order.slice(index + 1).map((higher) => higher.path) },
      ),
    );
}

/** Rule 2: a feature is entered by its index; `alsoForApp` names the file that only the composition root may read. */
function enterByIndex(side, alsoForApp) {
  const features = `^${side}/src/features/`;
  return [
    forbid(
      `enter-${side}-feature-by-index`,
      "A neighbour enters a feature by its index.ts.",
      // A test may put features together, as app does.
      { path: `${features}([^/]+)/`, pathNot: tests },
      { path: features, pathNot: [`${features}$1/`, `${features}[^/]+/index\\.ts$`, tests] },
    ),
    forbid(
      `enter-${side}-feature-from-outside`,
      "A feature is entered by its index.ts; only app also reads its feature.ts.",
      { path: `^${side}/`, pathNot: [features, `^${side}/src/app/`] },
      { path: features, pathNot: `${features}[^/]+/index\\.ts$` },
    ),
    forbid(
      `enter-${side}-feature-from-app`,
      "The composition root reads a feature's index.ts and feature.ts, nothing behind them.",
      { path: `^${side}/src/app/` },
      { path: features, pathNot: `${features}[^/]+/(index\\.ts|${alsoForApp})$` },
    ),
  ];
}

function levels(side) {
  const features = (names) => `^${side}/src/features/(${names.join("|")})/`;
  return featureLevels
    .slice(0, -1)
    .map((level, index) =>
      forbid(
        `${side}-feature-level-${index + 1}`,
        `${level.join(", ")} are below: they move a higher feature by an event.`,
        { path: features(level), pathNot: tests },
        { path: features(featureLevels.slice(index + 1).flat()) },
      ),
    );
}

/**
 * Rule 2, inside a noun: a folder of a feature is a room, entered by its index from the other rooms and from the top.
 * `noun` matches the folder that holds the rooms, without a group of its own unless `hasName` says so.
 */
function enterRoomsByIndex(name, noun, hasName) {
  const same = hasName ? noun.replace("([^/]+)", "$1") : noun;
  const room = hasName ? "$2" : "$1";
  const comment = "The rooms of a noun enter each other by index.ts, and so does what stands above them.";
  const intoRooms = `^${same}/[^/]+/.+`;
  const byIndex = `^${same}/[^/]+/index\\.tsx?$`;
  return [
    forbid(
      `enter-${name}-room-by-index`,
      comment,
      { path: `^${noun}/([^/]+)/.+`, pathNot: tests },
      { path: intoRooms, pathNot: [`^${same}/${room}/`, byIndex] },
    ),
    forbid(
      `enter-${name}-room-from-top`,
      comment,
      { path: `^${noun}/[^/]+\\.tsx?$`, pathNot: tests },
      { path: intoRooms, pathNot: byIndex },
    ),
  ];
}

/** Rule 3: a library has a home. */
function home(library, comment, to, allowed) {
  return forbid(`home-of-${library}`, comment, { path: "^server/", pathNot: [...allowed, tests] }, { path: to });
}

const server = [
  { label: "platform", path: "^server/src/platform/" },
  { label: "whatsapp", path: "^server/src/whatsapp/" },
  { label: "features", path: "^server/src/features/" },
  { label: "app", path: "^server/src/app/" },
  { label: "main", path: "^server/src/main\\.ts$" },
];
const web = [
  { label: "lib, ui", path: "^web/src/(lib|ui)/" },
  { label: "features", path: "^web/src/features/" },
  { label: "app", path: "^web/src/app/" },
  { label: "main", path: "^web/src/main\\.tsx?$" },
];

module.exports = {
  forbidden: [
    ...oneDirection("server", server),
    ...oneDirection("web", web),
    forbid(
      "contract-stands-alone",
      "The contract imports only zod.",
      { path: "^contract/src/", pathNot: tests },
      { pathNot: ["^contract/src/", packages("zod")] },
    ),
    forbid(
      "server-and-web-meet-in-contract",
      "Server and web meet only in contract.",
      { path: "^server/" },
      { path: "^web/" },
    ),
    forbid(
      "web-and-server-meet-in-contract",
      "Server and web meet only in contract.",
      { path: "^web/" },
      { path: "^(server|wa-sim)/" },
    ),
    forbid(
      "wa-sim-stands-alone",
      "The protocol server is useful without Prosa.",
      { path: "^wa-sim/" },
      { path: "^(server|web|contract)/" },
    ),
    forbid(
      "product-knows-no-tools",
      "What ships does not import journeys, benchmarks or scripts.",
      { path: "^(contract|server|web|wa-sim)/(src|migrations|seeds)/" },
      { path: "^(e2e|bench|scripts)/" },
    ),
    forbid(
      "product-knows-no-tests",
      "What ships does not import test helpers.",
      { path: "^(contract|server|web|wa-sim)/(src|migrations|seeds)/", pathNot: tests },
      { path: [tests] },
    ),
    forbid(
      "specified-requests-know-no-contract",
      "The tables are the specification's own words: a field misspelt in contract must not be misspelt in them (decision 0154).",
      { path: "^server/src/app/specified-requests/" },
      { path: "^contract/" },
    ),

    ...enterByIndex("server", "feature\\.ts"),
    ...enterByIndex("web", "feature\\.tsx?"),
    ...enterRoomsByIndex("server", "server/src/features/([^/]+)", true),
    ...enterRoomsByIndex("web", "web/src/features/([^/]+)", true),
    forbid(
      "enter-infrastructure-by-index",
      "A room of platform or whatsapp is entered by its index.ts.",
      { path: "^server/", pathNot: ["^server/src/(platform|whatsapp)/", "^server/migrations/", tests] },
      {
        path: "^server/src/(platform|whatsapp)/[^/]+/.+",
        pathNot: "^server/src/(platform|whatsapp)/[^/]+/index\\.ts$",
      },
    ),
    ...enterRoomsByIndex("platform", "server/src/platform/([^/]+)", true),
    ...enterRoomsByIndex("baileys", "server/src/whatsapp/baileys", false),
    ...enterRoomsByIndex("wa-sim", "wa-sim/src", false),
    ...levels("server"),
    ...levels("web"),
    forbid(
      "every-feature-has-a-level",
      "A new feature is entered into featureLevels, so that it is known what it may import.",
      {
        path: "^(server|web)/src/features/",
        pathNot: [tests, `^(server|web)/src/features/(${featureLevels.flat().join("|")})/`],
      },
      {},
    ),
    forbid(
      "modules-form-no-circles",
      "Two modules that need each other, if only for a type, are one module, or hide a third.",
      { path: "^(contract|server|web|wa-sim|scripts|bench|e2e)/" },
      { circular: true },
    ),

    home(
      "fastify",
      "Fastify is spoken in *.routes.ts and set up in platform/http and app.",
      packages("fastify", "@fastify/[^/]+", "fastify-plugin"),
      ["\\.routes\\.ts$", "^server/src/platform/http/", "^server/src/app/"],
    ),
    home(
      "sql",
      "SQL lives in *.queries.ts; *.tables.ts says what its rows are.",
      packages("kysely", "pg", "@types/pg", "pg-[^/]+"),
      ["\\.(queries|tables)\\.ts$", "^server/src/platform/db/", "^server/migrations/", "^server/seeds/"],
    ),
    home("socket-io", "Sockets are the affair of platform/realtime.", packages("socket\\.io"), [
      "^server/src/platform/realtime/",
    ]),
    home("baileys", "The WhatsApp library stays in its driver.", packages("baileys"), [
      "^server/src/whatsapp/baileys/",
    ]),

    forbid(
      "every-import-resolves",
      "An import that the checker cannot follow is an import that it cannot judge.",
      {},
      // `package/file?url` is that file's address: the build resolves it, and fails where there is none.
      { couldNotResolve: true, pathNot: ["^virtual:", "^[\\w@][\\w@/.-]*\\?url$"] },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|\\.cache)/" },
    // Types are imports too: a service that takes a FastifyRequest knows HTTP.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      importsFields: ["imports"],
      conditionNames: ["types", "import", "node", "default"],
      mainFields: ["types", "module", "main"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".cjs", ".json", ".d.ts"],
    },
  },
};

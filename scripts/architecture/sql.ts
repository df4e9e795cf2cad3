/** Where is SQL written, which tables does it change, and can it leak from one company to the next? */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { sourceFiles } from "./sources.ts";
import { tableOwners } from "./tables.ts";
import type { Violation } from "./violation.ts";

/** Where SQL may stand (rule 3). Platform code keeps a statement beside the loop that runs it. */
const homeOfSql = /\.queries\.ts$|^server\/(src\/(platform|testing)|migrations|seeds)\//;
/** Migrations make tables, and tests may put them into any state; neither is bound to the owners. */
const writesAnything = /^server\/(src\/testing|migrations)\/|\.test\.ts$/;
const testFile = /\.test\.ts$/;

const builderReads = new Set(["selectFrom"]);
const builderWrites = new Set(["insertInto", "updateTable", "deleteFrom", "mergeInto", "replaceInto"]);

/** What a connection is set to when it opens holds for all its users. */
const poolsFile = "server/src/platform/db/pools/pools.ts";

const statement =
  /^\s*(with\s+(recursive\s+)?\w+\s*(\([^)]*\)\s*)?as\b|select\b[\s\S]*\bfrom\b|insert\s+into\b|update\s+\S+(\s+\w+)?\s+set\b|delete\s+from\b|merge\s+into\b)/i;
const write = new RegExp(
  [
    String.raw`\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?|copy)\s+(?:only\s+)?"?(\w+)"?`,
    String.raw`\bupdate\s+(?:only\s+)?"?(?!set\b)(\w+)"?(?:\s+(?:as\s+)?\w+)?\s+set\b`,
  ].join("|"),
  "gi",
);
/** A setting that outlives the transaction is still there for the next company that gets the connection. */
const sessionSetting = /\bset_config\s*\([^)]*,\s*false\s*\)|\bset\s+(session\s+)?app\.\w+/i;

/** What a server of version 15, the oldest that we work on, does not know. Aliases named old and new look the same. */
const newerServer: readonly [what: string, pattern: RegExp][] = [
  ["old and new in RETURNING need PostgreSQL 18", /\breturning\b(?:(?!\bselect\b)[^;])*?\b(?:old|new)\./i],
  ["EXPLAIN (GENERIC_PLAN) needs PostgreSQL 16", /\bexplain\s*\([^)]*\bgeneric_plan\b/i],
];

/**
 * PostgreSQL knows of no coalesce that it cannot leak rows, so under row-level security what is compared with it uses no index: the
 * whole table of the company is read (decision 0197).
 */
const unindexed = /\b(?:on|where|and|or)\s+[\w.]+\s*=\s*(?:coalesce|nullif|greatest|least)\s*\(/i;

/** Every place under `root` whose SQL is in the wrong file, writes another's table or outlives its transaction. */
export function checkSql(root: string): Violation[] {
  const files = sourceFiles(root, ["server/src", "server/migrations", "server/seeds"]);
  const owners = new Map(Object.entries(tableOwners));
  return [...files.flatMap((file) => checkFile(root, file, owners)), ...checkTables(root, owners)];
}

function checkFile(root: string, file: string, owners: ReadonlyMap<string, string>): Violation[] {
  const { calls, texts } = readSource(file, readFileSync(join(root, file), "utf8"));
  const found: Violation[] = [];
  const report = (rule: string, message: string) => found.push({ rule, file, message });

  const builders = calls.filter(({ name }) => builderReads.has(name) || builderWrites.has(name));
  const statements = texts.filter((text) => statement.test(text));
  if (!homeOfSql.test(file) && !testFile.test(file) && builders.length + statements.length > 0) {
    report("sql-lives-in-queries", `SQL lives in *.queries.ts: ${builders[0]?.name ?? shortened(statements[0]!)}`);
  }

  if (!writesAnything.test(file)) {
    const built = calls.filter(({ name }) => builderWrites.has(name)).map(({ table }) => table);
    const written = texts.flatMap((text) =>
      [...text.matchAll(write)].map((match) => (match[1] ?? match[2])!.toLowerCase()),
    );
    for (const table of new Set([...built, ...written])) {
      const owner = table === undefined ? undefined : owners.get(table);
      if (owner && !file.startsWith(`server/src/${owner}/`)) {
        report("a-table-has-one-writer", `${table} is written by ${owner} only`);
      }
    }
  }

  for (const [what, pattern] of newerServer) {
    const newer = texts.find((text) => pattern.test(text));
    if (newer) {
      report("statements-run-on-every-server", `${what}: ${shortened(newer)}`);
    }
  }

  const slow =
    file.startsWith("server/src/features/") && !testFile.test(file) && texts.find((text) => unindexed.test(text));
  if (slow) {
    report("comparisons-use-an-index", `compare with CASE instead of coalesce: ${shortened(unindexed.exec(slow)![0])}`);
  }

  const leak = texts.find((text) => sessionSetting.test(text));
  if (leak && file !== poolsFile) {
    report("settings-end-with-the-transaction", `use set_config(…, true) or SET LOCAL: ${shortened(leak)}`);
  }
  return found;
}

/** The map of owners is complete and holds nothing else. */
function checkTables(root: string, owners: ReadonlyMap<string, string>): Violation[] {
  const file = "scripts/architecture/tables.ts";
  const created = new Map<string, string>();
  for (const migration of sourceFiles(root, ["server/migrations"])) {
    const { calls, texts } = readSource(migration, readFileSync(join(root, migration), "utf8"));
    const built = calls.filter(({ name }) => name === "createTable").map(({ table }) => table);
    const written = texts.flatMap((text) => [
      ...text.matchAll(/\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?"?(\w+)/gi),
    ]);
    [...built, ...written.map((match) => match[1])].forEach((table) => table && created.set(table, migration));
  }

  const ownerless = [...created].filter(([table]) => !owners.has(table));
  const gone = [...owners.keys()].filter((table) => !created.has(table));
  return [
    ...ownerless.map(([table, migration]) => ({
      rule: "every-table-has-an-owner",
      file: migration,
      message: `${table}: name its owner in ${file}`,
    })),
    ...gone.map((table) => ({ rule: "every-table-has-an-owner", file, message: `${table} is made by no migration` })),
  ];
}

interface SourceFacts {
  /** Methods called with a table's name first; `table` is missing where the name is not written out. */
  readonly calls: readonly { readonly name: string; readonly table: string | undefined }[];
  /** Strings and templates; what is filled in while running stands as `…`. */
  readonly texts: readonly string[];
}

function readSource(file: string, code: string): SourceFacts {
  const calls: { name: string; table: string | undefined }[] = [];
  const texts: string[] = [];

  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [first] = node.arguments;
      const table = first && ts.isStringLiteralLike(first) ? first.text.split(/\s/)[0] : undefined;
      calls.push({ name: node.expression.name.text, table });
    }
    if (ts.isStringLiteralLike(node)) {
      texts.push(node.text);
    } else if (ts.isTemplateExpression(node)) {
      texts.push(node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join(""));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest));

  return { calls, texts };
}

function shortened(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}

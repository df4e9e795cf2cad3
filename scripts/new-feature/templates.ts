/** The files of a new slice: small, complete, and meant to be changed. */
import type { Names } from "./names.ts";

/** Path → text, for a noun that is a list of named rows. `migration` is the number of its migration: `0042`. */
export function filesOf(names: Names, migration: string): Readonly<Record<string, string>> {
  const server = `server/src/features/${names.folder}`;
  const web = `web/src/features/${names.folder}`;

  return {
    [`contract/src/${names.folder}.ts`]: contract(names),
    [`server/migrations/${migration}_${names.table}.ts`]: migrationOf(names),
    [`${server}/${names.folder}.tables.ts`]: tables(names),
    [`${server}/${names.folder}.queries.ts`]: queries(names),
    [`${server}/${names.folder}.view.ts`]: view(names),
    [`${server}/${names.folder}.events.ts`]: events(names),
    [`${server}/${names.folder}.service.ts`]: service(names),
    [`${server}/${names.folder}.routes.ts`]: routes(names),
    [`${server}/feature.ts`]: feature(names),
    [`${server}/index.ts`]: `export { create${names.One}, list${names.Many} } from "./${names.folder}.service.ts";\n`,
    [`${web}/${names.folder}.api.ts`]: api(names),
    [`${web}/${names.folder}.i18n.ts`]: i18n(names),
    [`${web}/index.ts`]: `export { ${names.many}Resource } from "./${names.folder}.api.ts";\nexport { ${names.one}Messages } from "./${names.folder}.i18n.ts";\n`,
  };
}

function contract({ folder, many, one, One }: Names): string {
  return `import { z } from "zod";
import { name2to50, pageNumber, paged, searchParam } from "./common.ts";
import { endpoint } from "./endpoint.ts";

export const ${one} = z.object({ id: z.number().int(), name: z.string() });
export type ${One} = z.output<typeof ${one}>;

export const ${one}Body = z.object({ name: name2to50 });
export type ${One}Body = z.output<typeof ${one}Body>;

export const ${many} = {
  list: endpoint({
    method: "GET",
    path: "/${folder}",
    summary: "A page at a time, by name",
    access: { who: "session" },
    query: z.object({ searchParam, pageNumber }),
    response: paged("${many}", ${one}),
  }),
  create: endpoint({
    method: "POST",
    path: "/${folder}",
    summary: "Add one",
    access: { who: "admin" },
    body: ${one}Body,
    response: ${one},
  }),
};
`;
}

function migrationOf({ table }: Names): string {
  return `import { sql } from "kysely";
import type { Kysely } from "kysely";
import { protect } from "../src/platform/db/migration-helpers.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`
    create table ${table} (
      id         int generated always as identity primary key,
      company_id int not null references companies on delete cascade,
      name       text not null,
      created_at timestamptz not null default now()
    )\`.execute(db);
  await sql\`create index ${table}_by_name on ${table} (company_id, name, id)\`.execute(db);
  await protect(db, "${table}");
}
`;
}

function tables({ table, Many, One }: Names): string {
  return `import type { Generated, Selectable } from "kysely";

export interface ${Many}Table {
  id: Generated<number>;
  company_id: number;
  name: string;
  created_at: Generated<Date>;
}

export type ${One}Row = Pick<Selectable<${Many}Table>, "id" | "name">;

declare module "#server/platform/db/database.ts" {
  interface Database {
    ${table}: ${Many}Table;
  }
}
`;
}

function queries({ folder, table, Many, One }: Names): string {
  return `import { pageSize } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { ${One}Row } from "./${folder}.tables.ts";

const columns = ["id", "name"] as const;

/** One row more than a page, so that the caller knows whether there is another page. */
export function find${Many}(ctx: Ctx, search: string, page: number): Promise<${One}Row[]> {
  return ctx.db
    .selectFrom("${table}")
    .select(columns)
    .where("company_id", "=", ctx.companyId)
    .where("name", "ilike", \`%\${search}%\`)
    .orderBy("name")
    .orderBy("id")
    .limit(pageSize.others + 1)
    .offset((page - 1) * pageSize.others)
    .execute();
}

export async function count${Many}(ctx: Ctx, search: string): Promise<number> {
  const { count } = await ctx.db
    .selectFrom("${table}")
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("company_id", "=", ctx.companyId)
    .where("name", "ilike", \`%\${search}%\`)
    .executeTakeFirstOrThrow();
  return count;
}

export function insert${One}(ctx: Ctx, name: string): Promise<${One}Row> {
  return ctx.db
    .insertInto("${table}")
    .values({ company_id: ctx.companyId, name })
    .returning(columns)
    .executeTakeFirstOrThrow();
}
`;
}

function view({ folder, one, One }: Names): string {
  return `import type { ${One} } from "@prosa/contract";
import type { ${One}Row } from "./${folder}.tables.ts";

/** The row as the browser sees it, over HTTP and over the socket alike. */
export function ${one}View({ id, name }: ${One}Row): ${One} {
  return { id, name };
}
`;
}

function events({ one }: Names): string {
  return `import type { DomainEvent } from "#server/platform/ctx.ts";

export function ${one}Created(${one}Id: number): DomainEvent {
  return { type: "${one}.created", payload: { ${one}Id } };
}
`;
}

function service({ folder, many, one, Many, One }: Names): string {
  return `import { pageSize } from "@prosa/contract";
import type { ${One}, ${One}Body } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import { ${one}Created } from "./${folder}.events.ts";
import { count${Many}, find${Many}, insert${One} } from "./${folder}.queries.ts";
import { ${one}View } from "./${folder}.view.ts";

export interface ${One}Page {
  ${many}: ${One}[];
  count: number;
  hasMore: boolean;
}

export async function list${Many}(ctx: Ctx, search: string, page: number): Promise<${One}Page> {
  const [rows, count] = await Promise.all([find${Many}(ctx, search, page), count${Many}(ctx, search)]);
  return {
    ${many}: rows.slice(0, pageSize.others).map(${one}View),
    count,
    hasMore: rows.length > pageSize.others,
  };
}

export async function create${One}(ctx: Ctx, { name }: ${One}Body): Promise<${One}> {
  const row = await insert${One}(ctx, name);
  ctx.emit(${one}Created(row.id));

  return ${one}View(row);
}
`;
}

function routes({ folder, many, one, Many, One }: Names): string {
  return `import { ${many} } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { create${One}, list${Many} } from "./${folder}.service.ts";

export function ${one}Routes(api: Api): void {
  serve(api, ${many}.list, (ctx, { query }) => list${Many}(ctx, query.searchParam, query.pageNumber));
  serve(api, ${many}.create, (ctx, { body }) => create${One}(ctx, body));
}
`;
}

function feature({ folder, one }: Names): string {
  return `import type { Feature } from "#server/platform/feature.ts";
import { ${one}Routes } from "./${folder}.routes.ts";

export const feature: Feature = {
  name: "${folder}",
  routes: ${one}Routes,
};
`;
}

function api({ folder, many }: Names): string {
  return `import { ${many} } from "@prosa/contract/${folder}";
import { createResource } from "#web/lib/resource.ts";

export const ${many}Resource = createResource({
  key: "${folder}",
  list: ${many}.list,
  page: ({ ${many}: items, count, hasMore }) => ({ items, count, hasMore }),
  create: ${many}.create,
});
`;
}

function i18n({ one, folder }: Names): string {
  return `import { defineMessages } from "#web/lib/i18n.ts";

export const ${one}Messages = defineMessages({
  pt: { title: "${folder}" },
  en: { title: "${folder}" },
  es: { title: "${folder}" },
});
`;
}

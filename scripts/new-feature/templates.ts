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
    [`${web}/${names.One}Dialog.tsx`]: dialog(names),
    [`${web}/index.ts`]: webIndex(names),
    [`web/src/app/screens/${names.Many}.tsx`]: screen(names),
  };
}

function contract({ folder, many, one, One }: Names): string {
  return `import { z } from "zod";
import { changesOf, done, idParams, name2to50, paged, pageNumber, searchParam } from "./common.ts";
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
  update: endpoint({
    method: "PUT",
    path: "/${folder}/:id",
    summary: "Change one",
    access: { who: "admin" },
    params: idParams,
    body: changesOf(${one}Body),
    response: ${one},
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/${folder}/:id",
    summary: "Delete one",
    access: { who: "admin" },
    params: idParams,
    response: done,
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
  await sql\`create index ${table}_by_name on ${table} (company_id, folded(name))\`.execute(db);
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
  return `import type { Ctx } from "#server/platform/ctx.ts";
import { searchByName } from "#server/platform/db/index.ts";
import type { ${One}Row } from "./${folder}.tables.ts";

const columns = ["id", "name"] as const;

export function search${Many}(
  ctx: Ctx,
  query: { searchParam: string; pageNumber: number },
): Promise<{ rows: ${One}Row[]; count: number }> {
  const all = ctx.db.selectFrom("${table}").where("company_id", "=", ctx.companyId);
  return searchByName(all, (matching) => matching.select(columns), query);
}

export function insert${One}(ctx: Ctx, name: string): Promise<${One}Row> {
  return ctx.db
    .insertInto("${table}")
    .values({ company_id: ctx.companyId, name })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export function save${One}(
  ctx: Ctx,
  id: number,
  changes: { name?: string | undefined },
): Promise<${One}Row | undefined> {
  return ctx.db
    .updateTable("${table}")
    .set({ ...changes, company_id: ctx.companyId })
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .returning(columns)
    .executeTakeFirst();
}

export async function delete${One}(ctx: Ctx, id: number): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom("${table}")
    .where("id", "=", id)
    .where("company_id", "=", ctx.companyId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
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

export function ${one}Event(change: "created" | "updated" | "deleted", ${one}Id: number): DomainEvent {
  return { type: \`${one}.\${change}\`, payload: { ${one}Id } };
}
`;
}

function service({ folder, many, one, Many, One }: Names): string {
  return `import { pageSize } from "@prosa/contract";
import type { ${One}, ${One}Body } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { ${one}Event } from "./${folder}.events.ts";
import { delete${One}, insert${One}, save${One}, search${Many} } from "./${folder}.queries.ts";
import { ${one}View } from "./${folder}.view.ts";

export async function list${Many}(ctx: Ctx, query: { searchParam: string; pageNumber: number }) {
  const { rows, count } = await search${Many}(ctx, query);
  return { ${many}: rows.map(${one}View), count, hasMore: query.pageNumber * pageSize.others < count };
}

export async function create${One}(ctx: Ctx, { name }: ${One}Body): Promise<${One}> {
  const row = await insert${One}(ctx, name);
  ctx.emit(${one}Event("created", row.id));
  return ${one}View(row);
}

/** Throws ERR_NOT_FOUND. */
export async function update${One}(ctx: Ctx, id: number, { name }: { name?: string | undefined }): Promise<${One}> {
  const row = await save${One}(ctx, id, { name });
  if (!row) {
    throw new AppError("ERR_NOT_FOUND", { ${one}Id: id });
  }
  ctx.emit(${one}Event("updated", id));
  return ${one}View(row);
}

/** Throws ERR_NOT_FOUND. */
export async function remove${One}(ctx: Ctx, id: number): Promise<void> {
  if (!(await delete${One}(ctx, id))) {
    throw new AppError("ERR_NOT_FOUND", { ${one}Id: id });
  }
  ctx.emit(${one}Event("deleted", id));
}
`;
}

function routes({ folder, many, one, Many, One }: Names): string {
  return `import { ${many} } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { create${One}, list${Many}, remove${One}, update${One} } from "./${folder}.service.ts";

export function ${one}Routes(api: Api): void {
  serve(api, ${many}.list, (ctx, { query }) => list${Many}(ctx, query));
  serve(api, ${many}.create, (ctx, { body }) => create${One}(ctx, body));
  serve(api, ${many}.update, (ctx, { params, body }) => update${One}(ctx, params.id, body));
  serve(api, ${many}.remove, async (ctx, { params }) => {
    await remove${One}(ctx, params.id);
    return { message: "${One} deleted" };
  });
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
import { createResource } from "#web/lib/records/resource.ts";

export const ${many}Resource = createResource({
  key: "${folder}",
  list: ${many}.list,
  page: ({ ${many}: items, count, hasMore }) => ({ items, count, hasMore }),
  create: ${many}.create,
  update: ${many}.update,
  remove: ${many}.remove,
});
`;
}

function i18n({ one, folder }: Names): string {
  return `import { defineMessages } from "#web/lib/text/i18n.ts";

export const ${one}Messages = defineMessages({
  pt: {
    title: "${folder}",
    search: "Buscar por nome",
    add: "Adicionar",
    edit: "Editar {name}",
    name: "Nome",
    saved: "Salvo.",
    deleteTitle: "Excluir {name}?",
    deleteText: "Isto não pode ser desfeito.",
    deleted: "Excluído.",
    empty: "Adicione o primeiro",
    emptyText: "O que você adicionar aparece aqui.",
  },
  en: {
    title: "${folder}",
    search: "Search by name",
    add: "Add",
    edit: "Edit {name}",
    name: "Name",
    saved: "Saved.",
    deleteTitle: "Delete {name}?",
    deleteText: "This cannot be undone.",
    deleted: "Deleted.",
    empty: "Add the first one",
    emptyText: "What you add is shown here.",
  },
  es: {
    title: "${folder}",
    search: "Buscar por nombre",
    add: "Agregar",
    edit: "Editar {name}",
    name: "Nombre",
    saved: "Guardado.",
    deleteTitle: "¿Eliminar {name}?",
    deleteText: "Esto no se puede deshacer.",
    deleted: "Eliminado.",
    empty: "Agregue el primero",
    emptyText: "Lo que agregue aparece aquí.",
  },
});
`;
}

function dialog({ folder, many, one, One }: Names): string {
  return `import type { ${One}, ${One}Body } from "@prosa/contract/${folder}";
import { useMessages } from "#web/lib/text/i18n.ts";
import { TextField } from "#web/ui/fields/Field.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { ${many}Resource } from "./${folder}.api.ts";
import { ${one}Messages } from "./${folder}.i18n.ts";

export function ${One}Dialog(props: { readonly ${one}: ${One} | undefined; readonly onClose: () => void }) {
  const { ${one}, onClose } = props;
  const t = useMessages(${one}Messages);
  const save = ${many}Resource.useSave();
  return (
    <FormDialog<${One}Body>
      title={${one} ? t("edit", { name: ${one}.name }) : t("add")}
      values={{ name: ${one}?.name ?? "" }}
      schema={() => import("#schemas/${folder}").then((module) => module.${one}Body)}
      savedText={t("saved")}
      onClose={onClose}
      onSave={(whole, changed) => save.mutateAsync({ id: ${one}?.id, body: ${one} ? changed : whole })}
    >
      {(form, errorOf) => (
        <TextField label={t("name")} maxLength={50} error={errorOf("name")} {...form.register("name")} />
      )}
    </FormDialog>
  );
}
`;
}

function webIndex({ folder, many, one, One }: Names): string {
  return `export { ${one}Messages } from "./${folder}.i18n.ts";
export { ${many}Resource } from "./${folder}.api.ts";
export { ${One}Dialog } from "./${One}Dialog.tsx";
`;
}

function screen({ folder, many, one, Many, One }: Names): string {
  return `import type { ${One} } from "@prosa/contract/${folder}";
import { List } from "lucide-react";
import { ${One}Dialog, ${one}Messages, ${many}Resource } from "#web/features/${folder}/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import type { Column } from "#web/ui/ListScreen.tsx";
import { RecordList } from "#web/ui/RecordList.tsx";

/** /${folder} */
export function ${Many}() {
  return (
    <RecordList
      resource={${many}Resource}
      texts={${one}Messages}
      icon={<List />}
      columns={useColumns()}
      nameOf={({ name }) => name}
      form={(${one}, onClose) => <${One}Dialog ${one}={${one}} onClose={onClose} />}
    />
  );
}

function useColumns(): Column<${One}>[] {
  const t = useMessages(${one}Messages);
  return [{ key: "name", title: t("name"), cell: ({ name }) => name }];
}
`;
}

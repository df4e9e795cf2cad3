import pg from "pg";
import { ConfigError } from "../../config/index.ts";
import { APP_ROLE, SYSTEM_ROLE } from "../migration-helpers.ts";
import { lockMoves } from "./target.ts";

/** How many rows of a table a run had made, how many were removed, and how many stay because they have been used since. */
export interface UndoneTable {
  readonly table: string;
  readonly removed: number;
  readonly kept: number;
}

export interface Undone {
  readonly runId: number;
  readonly source: string;
  readonly tables: readonly UndoneTable[];
  /** Companies that are gone, with their files. */
  readonly companies: readonly number[];
}

/** Where the files of companies are. */
export interface CompanyFiles {
  deleteCompany(companyId: number): Promise<void>;
}

const BATCH = 2_000;

const [PLANS, COMPANIES] = ["plans", "companies"];

/** Kinds in the order in which they are removed: what refers to others first. */
const order: readonly { readonly entity: string; readonly table?: string; readonly isOfInstallation?: true }[] = [
  { entity: "chat_messages" },
  { entity: "chats" },
  { entity: "opt_outs" },
  { entity: "message_edits" },
  { entity: "messages" },
  { entity: "webhooks" },
  { entity: "knowledge_sources" },
  { entity: "schedules" },
  { entity: "campaign_recipients" },
  { entity: "campaigns" },
  { entity: "contact_list_items" },
  { entity: "contact_lists" },
  { entity: "quick_messages" },
  { entity: "quick_answers", table: "quick_messages" },
  { entity: "ticket_notes" },
  { entity: "episodes" },
  { entity: "tickets" },
  { entity: "contacts" },
  { entity: "tags" },
  { entity: "users", isOfInstallation: true },
  { entity: "connections" },
  { entity: "queue_options" },
  { entity: "file_list_options" },
  { entity: "file_lists" },
  { entity: "queues" },
  { entity: "products" },
  { entity: "queue_integrations" },
  { entity: "prompts" },
];

/** What goes with a row and does not count as a use of it. A queue is used by the lines that stay. */
const parts: Readonly<Record<string, readonly string[]>> = {
  messages: ["media", "link_previews", "message_reactions"],
  chats: ["chat_users"],
  campaigns: ["campaign_lines"],
  contacts: ["contact_identifiers", "contact_aliases"],
  connections: ["contact_identifiers", "connection_queues", "line_log", "line_leases", "line_rules", "campaign_lines"],
  queues: ["user_queues"],
  users: ["user_queues", "chat_users"],
  tickets: ["ticket_tags", "ticket_products"],
  queue_options: [],
  knowledge_sources: ["knowledge_passages", "knowledge_source_prompts", "knowledge_words"],
};

/** A change by somebody raises the version; a line that was paired is in use. */
const untouched: Readonly<Record<string, string>> = {
  messages: "t.version = 1",
  tickets: "t.version = 1",
  contacts: "t.version = 1",
  connections: "t.linked_at is null and t.wanted = 'down'",
};

/** Of a company, what the product counts or notes by itself. */
const derived = new Set([
  "kept_counts",
  "kept_days",
  "kept_day_users",
  "kept_day_marks",
  "campaign_counts",
  "message_words",
  "moved_rows",
  "settings",
  "connection_queues",
  "user_queues",
  "audit_log",
  "campaign_settings",
  "sending_rules",
]);

/**
 * Removes what a run has made, and nothing else: a row that something refers to by now, or that was changed, stays, with its links; so do
 * the settings of a company that stays. The rows that go can be moved in again. May be repeated after a kill. Throws ConfigError where
 * there is no such run, and beside a move; `runId` undefined is the latest one.
 */
export async function undoRun(url: string, runId: number | undefined, files: CompanyFiles): Promise<Undone> {
  const client = new pg.Client({ connectionString: url, application_name: "prosa move (undo)" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await lockMoves(client);
    await client.query("set statement_timeout = 0; set jit = off; set synchronous_commit = off");
    // As the machinery: the rows of all companies say whether a run has made any.
    const { rows } = await inRole(client, null, () =>
      client.query<{ id: number; source: string }>(
        `select r.id, s.name as source from move_runs r join move_sources s on s.id = r.source_id
       where r.state <> 'undone' and (r.id = $1 or $1::int is null
         and exists (select from moved_rows m where m.run_id = r.id and m.is_made) and s.kind <> 'chat') order by r.id desc limit 1`,
        [runId ?? null],
      ),
    );
    const run = rows[0];
    if (!run) {
      throw new ConfigError(runId === undefined ? "There is no run to undo." : `There is no run ${runId} to undo.`);
    }
    const { tables, companies } = await undo(client, run.id, files);
    await client.query("update move_runs set state = 'undone' where id = $1", [run.id]);
    return { runId: run.id, source: run.source, tables, companies };
  } finally {
    await client.end();
  }
}

async function undo(
  client: pg.Client,
  runId: number,
  files: CompanyFiles,
): Promise<Pick<Undone, "tables" | "companies">> {
  const references = await readReferences(client);
  const counts = new Map<string, { removed: number; kept: number }>();
  const count = (table: string, removed: number, kept: number) => {
    const known = counts.get(table) ?? { removed: 0, kept: 0 };
    counts.set(table, { removed: known.removed + removed, kept: known.kept + kept });
  };
  const companies = await inRole(client, null, () => findCompanies(client, runId));
  for (const companyId of companies) {
    for (const { entity, table = entity, isOfInstallation } of order) {
      const scope = { client, companyId, runId, entity, table, isOfInstallation, condition: unused(table, references) };
      const { removed, kept } = await removeRows(scope);
      count(table, removed, kept);
    }
  }
  await removeCompanies(client, runId, references, count);
  // As the rows tell that say where they came from, so that a repeated undo knows them: the nightly sweep looks at companies that are there.
  const gone = await inRole(client, null, () => findGoneCompanies(client, runId));
  for (const id of gone) {
    await files.deleteCompany(id);
  }
  await inRole(client, null, () =>
    client.query(
      `delete from ${PLANS} t using moved_rows r where r.run_id = $1 and r.entity = 'plans' and r.is_made and t.id = r.new_id
       and not exists (select from companies c where c.plan_id = t.id)`,
      [runId],
    ),
  ).then(({ rowCount }) => count("plans", rowCount ?? 0, 0));
  await forget(client, runId);
  const tables = [...counts]
    .map(([table, { removed, kept }]) => ({ table, removed, kept }))
    .filter(({ removed, kept }) => removed + kept > 0);
  return { tables, companies: gone };
}

interface Reference {
  readonly target: string;
  readonly table: string;
  readonly column: string;
}

/** Who refers to which table, by the column that is not the company. */
async function readReferences(client: pg.Client): Promise<Reference[]> {
  const { rows } = await client.query<Reference>(
    `select f.confrelid::regclass::text as target, f.conrelid::regclass::text as table, a.attname::text as column
     from pg_constraint f, unnest(f.conkey) k join pg_attribute a on a.attnum = k
     where f.contype = 'f' and a.attrelid = f.conrelid and f.connamespace = 'public'::regnamespace
       and (a.attname <> 'company_id' or f.confrelid = 'companies'::regclass)
     `,
  );
  return rows;
}

function unused(table: string, references: readonly Reference[]): string {
  const own = references.filter(
    (each) => each.target === table && each.column !== "company_id" && !(parts[table] ?? []).includes(each.table),
  );
  const conditions = own.map(
    ({ table: other, column }) => `not exists (select from ${other} x where x.${pg.escapeIdentifier(column)} = t.id)`,
  );
  return [untouched[table] ?? "true", ...conditions].join(" and ");
}

async function inRole<T>(client: pg.Client, companyId: number | null, work: () => Promise<T>): Promise<T> {
  await client.query(`begin; set local role ${companyId === null ? SYSTEM_ROLE : APP_ROLE}`);
  try {
    await client.query("select set_config('app.company_id', $1, true)", [companyId === null ? "" : String(companyId)]);
    const result = await work();
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** Those that the run wrote into; its users are rows of the installation. */
async function findCompanies(client: pg.Client, runId: number): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `select c.id from companies c where exists (select from moved_rows r where r.run_id = $1 and r.company_id = c.id)
       or exists (select from moved_rows r join users u on u.id = r.new_id
         where r.run_id = $1 and r.company_id is null and r.entity = 'users' and u.company_id = c.id) order by id`,
    [runId],
  );
  return rows.map(({ id }) => id);
}

/** Companies that the run made and that are not there any more. */
async function findGoneCompanies(client: pg.Client, runId: number): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `select r.new_id::int as id from moved_rows r where r.run_id = $1 and r.company_id is null and r.entity = 'companies' and r.is_made
       and not exists (select from companies c where c.id = r.new_id) order by 1`,
    [runId],
  );
  return rows.map(({ id }) => id);
}

interface Removal {
  readonly client: pg.Client;
  readonly companyId: number;
  readonly runId: number;
  readonly entity: string;
  readonly table: string;
  readonly isOfInstallation: true | undefined;
  readonly condition: string;
}

/** Until nothing more can go: an option goes before the one above it. */
async function removeRows(removal: Removal): Promise<{ removed: number; kept: number }> {
  let removed = 0;
  for (let before = -1; before !== removed;) {
    before = removed;
    removed += await removeOnce(removal);
  }
  const { client, companyId, table } = removal;
  const left = await idsOf(removal, 0, 1_000_000_000);
  const { rows } = await inRole(client, companyId, () =>
    client.query<{ n: number }>(`select count(*)::int as n from ${table} t where t.id = any($1::bigint[])`, [left]),
  );
  return { removed, kept: rows[0]?.n ?? 0 };
}

async function removeOnce(removal: Removal): Promise<number> {
  const { client, companyId, table, condition } = removal;
  let removed = 0;
  for (let after = 0; ;) {
    const ids = await idsOf(removal, after, BATCH);
    if (ids.length === 0) {
      return removed;
    }
    const { rowCount } = await inRole(client, companyId, () =>
      client.query(`delete from ${table} t where t.company_id = $1 and t.id = any($2::bigint[]) and ${condition}`, [
        companyId,
        ids,
      ]),
    );
    removed += rowCount ?? 0;
    after = ids.at(-1) ?? after;
  }
}

async function idsOf(
  { client, companyId, runId, entity, isOfInstallation }: Removal,
  after: number,
  limit: number,
): Promise<number[]> {
  const ofCompany = isOfInstallation
    ? "r.company_id is null and exists (select from users u where u.id = r.new_id and u.company_id = $1)"
    : "r.company_id = $1";
  const { rows } = await inRole(client, isOfInstallation ? null : companyId, () =>
    client.query<{ id: string }>(
      `select r.new_id as id from moved_rows r
       where ${ofCompany} and r.run_id = $2 and r.entity = $3 and r.is_made and r.new_id > $4 order by r.new_id limit $5`,
      [companyId, runId, entity, after, limit],
    ),
  );
  return rows.map(({ id }) => Number(id));
}

/** A company that the run made goes when nothing is left in it. */
async function removeCompanies(
  client: pg.Client,
  runId: number,
  references: readonly Reference[],
  count: (table: string, removed: number, kept: number) => void,
): Promise<void> {
  const { rows } = await inRole(client, null, () =>
    client.query<{ id: number }>(
      `select c.id from companies c join moved_rows r on r.new_id = c.id and r.entity = 'companies' and r.is_made
       where r.run_id = $1`,
      [runId],
    ),
  );
  const tables = [...new Set(references.filter(({ target }) => target === "companies").map(({ table }) => table))];
  for (const { id } of rows) {
    let isUsed = false;
    for (const table of tables.filter((each) => !derived.has(each))) {
      const may = await client.query<{ may: boolean }>("select has_table_privilege($1, $2, 'select') as may", [
        APP_ROLE,
        table,
      ]);
      isUsed ||=
        may.rows[0]?.may === true &&
        (await inRole(client, id, () => client.query(`select from ${table} where company_id = $1 limit 1`, [id])))
          .rowCount === 1;
    }
    if (!isUsed) {
      await inRole(client, null, () => client.query(`delete from ${COMPANIES} where id = $1`, [id]));
    }
    count("companies", isUsed ? 0 : 1, isUsed ? 1 : 0);
  }
}

/** What went can come again; what stays is known. */
async function forget(client: pg.Client, runId: number): Promise<void> {
  const tables = [
    ...order,
    { entity: "plans", isOfInstallation: true as const },
    { entity: "companies", isOfInstallation: true as const },
  ];
  const companies = await inRole(client, null, () => findCompanies(client, runId));
  for (const companyId of [null, ...companies]) {
    await inRole(client, companyId, async () => {
      const ofCompany = companyId === null ? "r.company_id is null and $2::int is null" : "r.company_id = $2";
      const kept = tables
        .filter(({ isOfInstallation }) => (companyId === null) === (isOfInstallation === true))
        .map(
          ({ entity, ...each }) =>
            `(r.entity = '${entity}' and exists (select from ${"table" in each ? each.table : entity} t where t.id = r.new_id))`,
        );
      await client.query(
        `delete from moved_rows r where r.run_id = $1 and ${ofCompany} and not (r.is_made and (${kept.join(" or ")}))`,
        [runId, companyId],
      );
    });
  }
}

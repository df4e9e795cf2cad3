import type { Product, Queue, Tag } from "@prosa/contract";
import type { Statement } from "#server/platform/db/index.ts";

type Named = Pick<Queue, "id" | "name">;

/** Users, queues, connections, tags and products that ticket views hold by id, each ordered by name. */
export interface NamesRow {
  readonly user: readonly Named[];
  readonly queue: readonly (Named & Pick<Queue, "color" | "waitWarningMinutes" | "waitLimitMinutes">)[];
  readonly whatsapp: readonly Named[];
  readonly tags: readonly Tag[];
  readonly products: readonly Product[];
}

const rows = (columns: string, table: string) =>
  `coalesce((select json_agg(v) from (select ${columns} from ${table} where company_id = $1 order by name, id) v), '[]')`;

/** One statement for the five small tables. */
export const READ_NAMES: Statement<NamesRow> = {
  name: "ticket_names",
  text: `select ${rows("id, name", "users")} as "user",
    ${rows(`id, name, color, wait_warning_minutes as "waitWarningMinutes", wait_limit_minutes as "waitLimitMinutes"`, "queues")} as "queue",
    ${rows("id, name", "connections")} as "whatsapp",
    ${rows("id, name, color, kanban", "tags")} as "tags",
    ${rows("id, name, type, price", "products")} as "products"`,
};

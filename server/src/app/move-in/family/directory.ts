import { defaultSchedules, operatorSettings, secretSettings, settingKeys, settingValues } from "@prosa/contract";
import { findConnections, findNamed } from "../move-in.queries.ts";
import { moveRows } from "../move.ts";
import type { Taken } from "../move.ts";
import { note } from "../report.ts";
import { freeName, intOf, isTrue, keyOf, textOf, timeOf } from "../values.ts";
import type { CompanyMove } from "./family-move.ts";
import type { CopiedFiles } from "./family-media.ts";
import type { SourceRow } from "./family.queries.ts";
import { savedWeekOf } from "./opening-hours.ts";

const longestText = 4_000;
/** A queue must have a colour of its own. */
const colors = [
  "#2576d2",
  "#0f9d58",
  "#f4b400",
  "#db4437",
  "#ab47bc",
  "#00acc1",
  "#ff7043",
  "#5c6bc0",
  "#8d6e63",
  "#78909c",
];

/** As browsers write it; some versions let people type anything. */
function colorOf(value: unknown): string | undefined {
  return /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/u.exec(textOf(value, 20).trim().toLowerCase())?.[0];
}

/** Settings that exist here under the same name, where nobody has set them yet. */
export async function moveSettings(move: CompanyMove): Promise<void> {
  const { companyId, family, oldCompanyId } = move;
  const taken = settingKeys.filter((key) => !operatorSettings.includes(key) && !secretSettings.includes(key));
  await moveRows(move, {
    entity: "settings",
    key: ["company_id", "key"],
    source: family.read({ table: "Settings", columns: ["key", "value"], order: "t.key" }, oldCompanyId),
    idOf: (row) => textOf(row["key"]),
    take: async (rows) =>
      rows.map((row): Taken => {
        const key = taken.find((each) => each === row["key"]);
        if (key === undefined) {
          return { skip: "there is no such setting here" };
        }
        const value = settingValues[key].safeParse(textOf(row["value"]));
        return value.success
          ? { row: { company_id: companyId, key, value: value.data } }
          : { skip: "a value that the setting does not have here" };
      }),
  });
}

export async function moveQueues(move: CompanyMove): Promise<void> {
  const { companyId, family, oldCompanyId } = move;
  const columns = [
    "id",
    "name",
    "color",
    "greetingMessage",
    "complationMessage",
    "outOfHoursMessage",
    "ratingMessage",
    "schedules",
    "orderQueue",
  ];
  await moveRows(move, {
    entity: "queues",
    source: family.read({ table: "Queues", columns: [...columns, "createdAt"] }, oldCompanyId),
    idOf: keyOf,
    async take(rows, tx) {
      const known = await findNamed(tx, "queues", companyId);
      const usedColors = new Set(known.map(({ color }) => color.toLowerCase()));
      const names = new Set(known.map(({ name }) => name.toLowerCase()));
      return rows.map((row): Taken => {
        const name = freeName(textOf(row["name"], 50).trim() || `Queue ${keyOf(row)}`, names);
        const wanted = colorOf(row["color"]);
        const color =
          [wanted, ...colors].find((each) => each !== undefined && !usedColors.has(each)) ??
          `#${Math.floor(Math.random() * 0xff_ff_ff)
            .toString(16)
            .padStart(6, "0")}`;
        usedColors.add(color);
        return {
          row: {
            company_id: companyId,
            name,
            color,
            order_queue: intOf(row["orderQueue"], 0, 10_000),
            greeting_message: textOf(row["greetingMessage"], longestText),
            complation_message: textOf(row["complationMessage"], longestText),
            out_of_hours_message: textOf(row["outOfHoursMessage"], longestText),
            rating_message: textOf(row["ratingMessage"], longestText),
            schedules: savedWeekOf(row["schedules"]) ?? defaultSchedules,
            created_at: timeOf(row["createdAt"]) ?? new Date().toISOString(),
          },
        };
      });
    },
  });
}

/** The option trees: an option after the one above it. */
export async function moveQueueOptions(move: CompanyMove): Promise<void> {
  const { companyId, family, oldCompanyId, ids, media } = move;
  const queueOf = new Map<string, number>();
  const fileOf = (row: SourceRow) => ({
    identity: `option ${keyOf(row)}`,
    path: row["mediaPath"],
    name: row["mediaName"],
  });
  let files: CopiedFiles = new Map();
  const columns = ["id", "title", "message", "option", "queueId", "parentId", "mediaPath", "mediaName"];
  const source = family.read(
    // An option below another one may name no queue: those of other companies lead to no queue of ours.
    { table: "QueueOptions", columns, order: `t."parentId" nulls first, t.id`, batch: 100_000 },
    family.has("QueueOptions", "companyId") ? oldCompanyId : null,
  );
  const positions = new Map<string, number>();
  await moveRows(move, {
    entity: "queue_options",
    source: ofThisCompany(source),
    idOf: keyOf,
    async prepare(rows) {
      files = await media.copy(move, "queue-options", rows.map(fileOf));
    },
    async take(rows, _tx, reserve) {
      const reserved = await reserve();
      const idOf = new Map(rows.map((row, index) => [keyOf(row), reserved[index] ?? 0]));
      return rows.map((row): Taken => {
        const queueId = queueOf.get(keyOf(row));
        const parent = row["parentId"];
        const isRoot = parent === null || parent === undefined;
        const parentId = isRoot ? null : (ids.of("queue_options", parent) ?? idOf.get(String(parent)) ?? null);
        if (queueId === undefined || (!isRoot && parentId === null)) {
          return { skip: "its queue was not taken" };
        }
        const level = `${queueId} ${parentId}`;
        const position = positions.get(level) ?? 0;
        positions.set(level, position + 1);
        const file = files.get(fileOf(row).identity);
        return {
          row: {
            company_id: companyId,
            queue_id: queueId,
            parent_id: parentId,
            title: textOf(row["title"], 200),
            message: textOf(row["message"], longestText),
            option: textOf(row["option"], 50) || String(position + 1),
            position,
            media_path: file?.key ?? null,
            media_name: file?.name ?? null,
            media_type: file?.type ?? null,
            media_size: file?.size ?? null,
          },
        };
      });
    },
  });

  /** In an order in which each comes after the one above it. */
  async function* ofThisCompany(all: typeof source) {
    for await (const rows of all) {
      const byParent = Map.groupBy(rows, (row) => String(row["parentId"] ?? ""));
      const ordered: (typeof rows)[number][] = [];
      const visit = (parent: string, queueId: number | undefined) => {
        for (const row of byParent.get(parent) ?? []) {
          const own = ids.of("queues", row["queueId"]) ?? queueId;
          if (own !== undefined && !queueOf.has(keyOf(row))) {
            queueOf.set(keyOf(row), own);
            ordered.push(row);
            visit(keyOf(row), own);
          }
        }
      };
      visit("", undefined);
      yield ordered;
    }
  }
}

/** Connections without their sessions: they are disconnected until somebody pairs them. */
export async function moveConnections(move: CompanyMove): Promise<void> {
  const { companyId, family, oldCompanyId, ids, report } = move;
  const texts = ["greetingMessage", "complationMessage", "outOfHoursMessage", "ratingMessage"];
  const columns = ["id", "name", "number", "isDefault", "channel", "language", "createdAt", ...texts];
  await moveRows(move, {
    entity: "connections",
    source: family.read({ table: "Whatsapps", columns }, oldCompanyId),
    idOf: keyOf,
    async take(rows, tx) {
      const known = await findConnections(tx, companyId);
      const names = new Set(known.map(({ name }) => name.toLowerCase()));
      let hasDefault = known.some(({ isDefault }) => isDefault);
      return rows.map((row): Taken => {
        const channel = textOf(row["channel"]);
        if (channel !== "" && channel !== "whatsapp") {
          return { skip: `a channel that is not here: ${channel}` };
        }
        note(report, "connections are disconnected: pair each one again by its QR code");
        const isDefault = isTrue(row["isDefault"]) && !hasDefault;
        hasDefault ||= isDefault;
        const now = new Date().toISOString();
        return {
          row: {
            company_id: companyId,
            name: freeName(textOf(row["name"], 50).trim() || `WhatsApp ${keyOf(row)}`, names),
            status: "DISCONNECTED",
            wanted: "down",
            is_default: isDefault,
            greeting_message: textOf(row["greetingMessage"], longestText),
            complation_message: textOf(row["complationMessage"], longestText),
            out_of_hours_message: textOf(row["outOfHoursMessage"], longestText),
            rating_message: textOf(row["ratingMessage"], longestText),
            // Nothing may be closed or answered by itself when the line is paired: conversations that moved in are old.
            expires_ticket: 0,
            time_to_transfer: 0,
            created_at: timeOf(row["createdAt"]) ?? now,
            updated_at: now,
          },
        };
      });
    },
  });
  await moveLinks(move, {
    entity: "connection_queues",
    key: ["connection_id", "queue_id"],
    source: { table: "WhatsappQueues", one: "whatsappId", other: "queueId", parent: "Whatsapps" },
    rowOf: (row, position) => {
      const [connectionId, queueId] = [ids.of("connections", row["whatsappId"]), ids.of("queues", row["queueId"])];
      return connectionId && queueId
        ? { company_id: companyId, connection_id: connectionId, queue_id: queueId, position }
        : undefined;
    },
  });
}

export async function moveUserQueues(move: CompanyMove): Promise<void> {
  const { companyId, ids } = move;
  await moveLinks(move, {
    entity: "user_queues",
    key: ["user_id", "queue_id"],
    source: { table: "UserQueues", one: "userId", other: "queueId", parent: "Users" },
    rowOf: (row) => {
      const [userId, queueId] = [ids.of("users", row["userId"]), ids.of("queues", row["queueId"])];
      return userId && queueId ? { company_id: companyId, user_id: userId, queue_id: queueId } : undefined;
    },
  });
}

/** Tags by name: two of one name are one here. */
export async function moveTags(move: CompanyMove): Promise<void> {
  const { companyId, family, oldCompanyId } = move;
  await moveRows(move, {
    entity: "tags",
    source: family.read({ table: "Tags", columns: ["id", "name", "color", "kanban", "createdAt"] }, oldCompanyId),
    idOf: keyOf,
    async take(rows, tx, reserve) {
      const known = await findNamed(tx, "tags", companyId);
      const byName = new Map(known.map(({ id, name }) => [name, id]));
      const reserved = await reserve();
      return rows.map((row, index): Taken => {
        const name = textOf(row["name"], 100).trim() || `Tag ${keyOf(row)}`;
        const same = byName.get(name);
        if (same !== undefined) {
          return { into: same };
        }
        byName.set(name, reserved[index] ?? 0);
        return {
          row: {
            company_id: companyId,
            name,
            color: colorOf(row["color"]) ?? "#7c7c7c",
            kanban: isTrue(row["kanban"]) ? 1 : 0,
            created_at: timeOf(row["createdAt"]) ?? new Date().toISOString(),
          },
        };
      });
    },
  });
}

interface Links {
  readonly entity: string;
  readonly key: readonly string[];
  readonly source: { readonly table: string; readonly one: string; readonly other: string; readonly parent: string };
  /** Undefined: one of the two was not taken. */
  readonly rowOf: (
    row: Readonly<Record<string, unknown>>,
    position: number,
  ) => Readonly<Record<string, unknown>> | undefined;
}

/** Rows that only connect two others, each once. */
export async function moveLinks(move: CompanyMove, { entity, key, source, rowOf }: Links): Promise<void> {
  const { table, one, other, parent } = source;
  const positions = new Map<unknown, number>();
  await moveRows(move, {
    entity,
    key,
    source: move.family.read(
      { table, columns: [one, other], order: `t."${one}", t."${other}"`, through: [{ column: one, table: parent }] },
      move.oldCompanyId,
    ),
    idOf: (row) => `${String(row[one])} ${String(row[other])}`,
    take: async (rows) =>
      rows.map((row): Taken => {
        const position = positions.get(row[one]) ?? 0;
        positions.set(row[one], position + 1);
        const linked = rowOf(row, position);
        return linked ? { row: linked } : { skip: "one of the two was not taken" };
      }),
  });
}

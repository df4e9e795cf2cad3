import { matchNumber } from "@prosa/contract";
import { findListNames } from "../move-in.queries.ts";
import { moveRows } from "../move.ts";
import type { Taken } from "../move.ts";
import { note } from "../report.ts";
import { freeName, isTrue, keyOf, phoneOf, textOf, timeOf } from "../values.ts";
import type { CompanyMove } from "./family-move.ts";
import type { CopiedFiles, NamedFile } from "./family-media.ts";
import type { SourceRow } from "./family.queries.ts";

const longestText = 4_000;
const variants = [1, 2, 3, 4, 5];

export async function moveContactLists(move: CompanyMove): Promise<void> {
  const { companyId, family, oldCompanyId, ids } = move;
  await moveRows(move, {
    entity: "contact_lists",
    source: family.read({ table: "ContactLists", columns: ["id", "name", "createdAt", "updatedAt"] }, oldCompanyId),
    idOf: keyOf,
    async take(rows, tx) {
      const names = await findListNames(tx, companyId);
      return rows.map((row): Taken => {
        const now = new Date().toISOString();
        const name = freeName(textOf(row["name"], 50).trim() || `List ${keyOf(row)}`, names);
        const [created, updated] = [timeOf(row["createdAt"]) ?? now, timeOf(row["updatedAt"]) ?? now];
        return { row: { company_id: companyId, name, created_at: created, updated_at: updated } };
      });
    },
  });
  const columns = ["id", "name", "number", "email", "isWhatsappValid", "contactListId", "createdAt"];
  const through = [{ column: "contactListId", table: "ContactLists" }];
  const seen = new Set<string>();
  await moveRows(move, {
    entity: "contact_list_items",
    source: family.read({ table: "ContactListItems", columns, through }, oldCompanyId),
    idOf: keyOf,
    take: async (rows) =>
      rows.map((row): Taken => {
        const listId = ids.of("contact_lists", row["contactListId"]);
        const number = phoneOf(row["number"]);
        if (listId === undefined || number === undefined) {
          return { skip: number === undefined ? "no number of WhatsApp" : "its list was not taken" };
        }
        const match = matchNumber(number);
        if (seen.has(`${listId} ${match}`)) {
          return { skip: "the same number twice in one list" };
        }
        seen.add(`${listId} ${match}`);
        const isValid = typeof row["isWhatsappValid"] === "boolean" ? row["isWhatsappValid"] : null;
        const at = timeOf(row["createdAt"]) ?? new Date().toISOString();
        return {
          row: {
            company_id: companyId,
            contact_list_id: listId,
            name: textOf(row["name"], 100).trim() || number,
            number,
            match_number: match,
            email: textOf(row["email"], 200).trim(),
            is_whatsapp_valid: isValid,
            checked_at: isValid === null ? null : at,
            created_at: at,
          },
        };
      }),
  });
}

/** The file that a row of a kind names. */
function fileOf(kind: string, row: SourceRow): NamedFile {
  return { identity: `${kind} ${keyOf(row)}`, path: row["mediaPath"], name: row["mediaName"] };
}

/** Campaigns as history. None starts by itself: what was planned is inactive, and what was under way is cancelled. */
export async function moveCampaigns(move: CompanyMove): Promise<void> {
  const { companyId, family, oldCompanyId, ids, media, report } = move;
  const texts = variants.flatMap((n) => [`message${n}`, `confirmationMessage${n}`]);
  const columns = [
    "id",
    "name",
    "status",
    "confirmation",
    "scheduledAt",
    "completedAt",
    "contactListId",
    "tagId",
    "tagListId",
    "userId",
  ];
  let files: CopiedFiles = new Map();
  await moveRows(move, {
    entity: "campaigns",
    source: family.read(
      { table: "Campaigns", columns: [...columns, ...texts, "mediaPath", "mediaName", "createdAt"] },
      oldCompanyId,
    ),
    idOf: keyOf,
    async prepare(rows) {
      files = await media.copy(
        move,
        "campaigns",
        rows.map((row) => fileOf("campaign", row)),
      );
    },
    take: async (rows) =>
      rows.map((row): Taken => {
        const status = statusOf(textOf(row["status"]));
        if (status !== textOf(row["status"])) {
          note(report, "campaigns that were planned or under way do not go on: they are inactive or cancelled");
        }
        const isOver = status === "FINALIZADA" || status === "CANCELADA";
        const file = files.get(fileOf("campaign", row).identity);
        const all = (name: string) => variants.map((n) => textOf(row[`${name}${n}`], longestText));
        return {
          row: {
            company_id: companyId,
            name: textOf(row["name"], 50).trim() || `Campaign ${keyOf(row)}`,
            status,
            confirmation: isTrue(row["confirmation"]),
            messages: all("message"),
            confirmation_messages: all("confirmationMessage"),
            scheduled_at: isOver ? timeOf(row["scheduledAt"]) : null,
            started_at: isOver ? timeOf(row["scheduledAt"]) : null,
            completed_at: isOver ? (timeOf(row["completedAt"]) ?? timeOf(row["scheduledAt"])) : null,
            contact_list_id: ids.of("contact_lists", row["contactListId"]) ?? null,
            tag_id: ids.of("tags", row["tagListId"] ?? row["tagId"]) ?? null,
            media_path: file?.key ?? null,
            media_name: file?.name ?? null,
            media_type: file?.type ?? null,
            media_size: file?.size ?? null,
            user_id: ids.of("users", row["userId"]) ?? null,
            created_at: timeOf(row["createdAt"]) ?? new Date().toISOString(),
          },
        };
      }),
  });
  await moveRecipients(move);
}

function statusOf(status: string): string {
  if (status === "FINALIZADA" || status === "CANCELADA") {
    return status;
  }
  return status === "EM_ANDAMENTO" ? "CANCELADA" : "INATIVA";
}

/** To whom a campaign was sent. Who did not get it is left out: nothing may be sent to them by itself. */
async function moveRecipients(move: CompanyMove): Promise<void> {
  const { companyId, family, oldCompanyId, ids } = move;
  const columns = ["id", "number", "contactId", "campaignId", "confirmationRequestedAt", "confirmedAt", "deliveredAt"];
  const positions = new Map<number, number>();
  let itemOf: ReadonlyMap<string, SourceRow> = new Map();
  const seen = new Set<string>();
  await moveRows(move, {
    entity: "campaign_recipients",
    source: family.read(
      { table: "CampaignShipping", columns, through: [{ column: "campaignId", table: "Campaigns" }] },
      oldCompanyId,
    ),
    idOf: keyOf,
    async prepare(rows) {
      const items = await family.readOf(
        "ContactListItems",
        ["id", "name", "email"],
        "id",
        rows.flatMap((row) => row["contactId"] ?? []),
      );
      itemOf = new Map(items.map((item) => [keyOf(item), item]));
    },
    async take(rows) {
      return rows.map((row): Taken => {
        const campaignId = ids.of("campaigns", row["campaignId"]);
        const number = phoneOf(row["number"]);
        const sentAt = timeOf(row["deliveredAt"]);
        if (campaignId === undefined || number === undefined) {
          return { skip: number === undefined ? "no number of WhatsApp" : "its campaign was not taken" };
        }
        if (sentAt === null) {
          return { skip: "it was not sent" };
        }
        if (seen.has(`${campaignId} ${matchNumber(number)}`)) {
          return { skip: "the same number twice in one campaign" };
        }
        seen.add(`${campaignId} ${matchNumber(number)}`);
        const position = positions.get(campaignId) ?? 0;
        positions.set(campaignId, position + 1);
        const item = itemOf.get(String(row["contactId"])) ?? {};
        return {
          row: {
            company_id: companyId,
            campaign_id: campaignId,
            position,
            contact_list_item_id: ids.of("contact_list_items", row["contactId"]) ?? null,
            name: textOf(item["name"], 100) || number,
            number,
            match_number: matchNumber(number),
            email: textOf(item["email"], 200),
            state: "sent",
            confirmation_requested_at: timeOf(row["confirmationRequestedAt"]),
            confirmed_at: timeOf(row["confirmedAt"]),
            queued_at: sentAt,
            sent_at: sentAt,
          },
        };
      });
    },
  });
}

/**
 * Scheduled messages: those that were sent as history; those of the future so that somebody must confirm each one, because the other
 * system may send it as well.
 */
export async function moveSchedules(move: CompanyMove): Promise<void> {
  const { companyId, family, oldCompanyId, ids, media, report } = move;
  const columns = [
    "id",
    "body",
    "sendAt",
    "sentAt",
    "contactId",
    "userId",
    "whatsappId",
    "status",
    "mediaPath",
    "mediaName",
    "createdAt",
  ];
  let files: CopiedFiles = new Map();
  // What has passed by now has passed for the whole run.
  const now = new Date();
  const planOf = (row: SourceRow): { contactId: number; sendAt: string; sentAt: string | null } | { skip: string } => {
    const contactId = ids.of("contacts", row["contactId"]);
    const [sendAt, sentAt] = [timeOf(row["sendAt"]), timeOf(row["sentAt"])];
    if (contactId === undefined || sendAt === null) {
      return { skip: sendAt === null ? "it has no time, or one that cannot be" : "its contact was not taken" };
    }
    return sentAt === null && new Date(sendAt) <= now
      ? { skip: "its time has passed without it being sent" }
      : { contactId, sendAt, sentAt };
  };
  await moveRows(move, {
    entity: "schedules",
    source: family.read({ table: "Schedules", columns }, oldCompanyId),
    idOf: keyOf,
    async prepare(rows) {
      files = await media.copy(
        move,
        "schedules",
        rows.filter((row) => !("skip" in planOf(row))).map((row) => fileOf("schedule", row)),
      );
    },
    take: async (rows) =>
      rows.map((row): Taken => {
        const plan = planOf(row);
        if ("skip" in plan) {
          return plan;
        }
        const { contactId, sendAt, sentAt } = plan;
        if (sentAt === null) {
          note(report, "scheduled messages of the future wait for somebody to send them or give them a new time");
        }
        const file = files.get(fileOf("schedule", row).identity);
        return {
          row: {
            company_id: companyId,
            contact_id: contactId,
            user_id: ids.of("users", row["userId"]) ?? null,
            connection_id: ids.of("connections", row["whatsappId"]) ?? null,
            body: textOf(row["body"], 65_536),
            send_at: sendAt,
            sent_at: sentAt,
            error: sentAt === null ? "ERR_SCHEDULE_MOVED_IN" : null,
            client_id: crypto.randomUUID(),
            media_path: file?.key ?? null,
            media_name: file?.name ?? null,
            media_type: file?.type ?? null,
            media_size: file?.size ?? null,
            created_at: timeOf(row["createdAt"]) ?? new Date().toISOString(),
          },
        };
      }),
  });
}

/** Quick messages, and the quick answers of the first versions. */
export async function moveQuickMessages(move: CompanyMove): Promise<void> {
  const { companyId, family, oldCompanyId, ids, media } = move;
  const columns = [
    "id",
    "shortcode",
    "shortcut",
    "message",
    "userId",
    "geral",
    "status",
    "mediaPath",
    "mediaName",
    "createdAt",
  ];
  for (const [entity, table] of [
    ["quick_messages", "QuickMessages"],
    ["quick_answers", "QuickAnswers"],
  ] as const) {
    let files: CopiedFiles = new Map();
    await moveRows(move, {
      entity,
      table: "quick_messages",
      source: family.read({ table, columns }, oldCompanyId),
      idOf: keyOf,
      async prepare(rows) {
        files = await media.copy(
          move,
          "quick-messages",
          rows.filter((row) => shortcodeOf(row) !== "").map((row) => fileOf(entity, row)),
        );
      },
      take: async (rows) =>
        rows.map((row): Taken => {
          const userId = ids.of("users", row["userId"]) ?? null;
          const shortcode = shortcodeOf(row);
          if (shortcode === "") {
            return { skip: "it has no shortcut" };
          }
          const file = files.get(fileOf(entity, row).identity);
          return {
            row: {
              company_id: companyId,
              user_id: userId,
              shortcode,
              message: textOf(row["message"], longestText),
              // Nobody's: everybody's, as they were before the family gave them owners.
              geral: userId === null || isTrue(row["geral"]),
              status: row["status"] !== false,
              media_path: file?.key ?? null,
              media_name: file?.name ?? null,
              media_type: file?.type ?? null,
              created_at: timeOf(row["createdAt"]) ?? new Date().toISOString(),
            },
          };
        }),
    });
  }
}

function shortcodeOf(row: SourceRow): string {
  return textOf(row["shortcode"] ?? row["shortcut"], 50)
    .trim()
    .replace(/^\//u, "");
}

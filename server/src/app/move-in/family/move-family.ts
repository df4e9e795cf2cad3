import { openDryMove, openMove } from "#server/platform/db/index.ts";
import type { MoveTarget } from "#server/platform/db/index.ts";
import { ConfigError } from "#server/platform/config/index.ts";
import { refreshMovedTickets } from "#server/features/tickets/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { findGroups, findTickets, hasCompany } from "../move-in.queries.ts";
import { createIdMap } from "../move.ts";
import type { MoveScope } from "../move.ts";
import { newReport, note } from "../report.ts";
import type { KindReport, MoveReport } from "../report.ts";
import { textOf } from "../values.ts";
import { moveCompanies, movePlans, moveUsers } from "./accounts.ts";
import { moveCampaigns, moveContactLists, moveQuickMessages, moveSchedules } from "./campaigns.ts";
import { moveContacts } from "./contacts.ts";
import { moveConnections, moveQueueOptions, moveQueues, moveSettings, moveTags, moveUserQueues } from "./directory.ts";
import type { Chat, CompanyMove, FamilyMove } from "./family-move.ts";
import { openFamilyMedia } from "./family-media.ts";
import { openFamily } from "./family.queries.ts";
import type { Family } from "./family.queries.ts";
import { checkSource, fingerprintOf } from "./known-source.ts";
import type { GivenSource, SourceCompany } from "./known-source.ts";
import { moveMessages } from "./messages.ts";
import { refreshStates } from "./ticket-states.ts";
import { moveNotes, moveTickets, moveTicketTags } from "./tickets.ts";

export interface FamilyMoveOptions {
  /** The source: a database of the family. */
  readonly from: string;
  /** The target, as its owner. */
  readonly url: string;
  readonly storage: Storage;
  /** The folder `public` of the source; undefined: no files are taken. */
  readonly mediaFolder: string | undefined;
  /** Only this company of the source. */
  readonly company: number | undefined;
  /** Which source it is, where its fingerprint errs. */
  readonly source?: GivenSource;
  readonly isDry: boolean;
  readonly onProgress: (kind: KindReport) => void;
}

/** Kinds whose ids others refer to, which are kept in memory; messages are too many. */
const kept = [
  "settings",
  "queues",
  "queue_options",
  "connections",
  "connection_queues",
  "user_queues",
  "tags",
  "contacts",
  "tickets",
  "ticket_tags",
  "contact_tags",
  "ticket_notes",
  "quick_messages",
  "quick_answers",
  "contact_lists",
  "contact_list_items",
  "campaigns",
  "campaign_recipients",
  "schedules",
];

/**
 * Moves a database of the Whaticket family in. Each batch is committed together with where its rows came from: a run that was killed is
 * gone on with by the next one, and a second run adds only what is new in the source. Throws ConfigError for a source that cannot be read.
 */
export async function moveFamily(options: FamilyMoveOptions): Promise<{ report: MoveReport; runId: number }> {
  const { url, storage, mediaFolder, isDry, onProgress, company } = options;
  const family = await openFamily(options.from);
  try {
    const name = nameOf(options.from);
    const fingerprint = await fingerprintOf(family, { url, name, source: options.source });
    const report = newReport();
    const media = await openFamilyMedia({ folder: mediaFolder, storage, report, fingerprint, isDry });
    const source = { kind: "family", fingerprint, name } as const;
    const target = isDry ? await openDryMove(url, source) : await openMove(url, source);
    try {
      await moveAll({ family, target, report, media, onProgress }, company, options.source);
      await target.saveReport(report, "finished");
      return { report, runId: target.runId };
    } finally {
      await target.close();
    }
  } finally {
    await family.close();
  }
}

function nameOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${pathname}`;
  } catch {
    throw new ConfigError("--from: postgres://user:password@host:5432/database");
  }
}

interface Move {
  readonly family: Family;
  readonly target: MoveTarget;
  readonly report: MoveReport;
  readonly media: FamilyMove["media"];
  readonly onProgress: (kind: KindReport) => void;
}

async function moveAll(
  { family, target, report, media, onProgress }: Move,
  company: number | undefined,
  source: GivenSource,
): Promise<void> {
  const companies = await readCompanies(family, company);
  if (companies.length === 0) {
    throw new ConfigError(`--company: there is no company ${company ?? ""} in the source`);
  }
  const machinery: MoveScope = { target, companyId: null, ids: createIdMap(), report, onProgress };
  await loadKnown(machinery, ["plans", "companies", "users"]);
  const move: FamilyMove = { family, machinery, report, media };
  await checkSource(move, { companies, source });
  report.companies.push({ name: "Installation", kinds: [] });
  await movePlans(move);
  await moveCompanies(move, company);
  if (company === undefined) {
    for (const table of ["Users", "Contacts", "Tickets", "Messages", "Queues", "Whatsapps"]) {
      const count = await family.countOrphans(table);
      if (count > 0) {
        note(report, `rows of "${table}" belong to no company of the source and stay there`, count);
      }
    }
  }
  for (const { id, name } of companies) {
    const companyId = machinery.ids.of("companies", id ?? 1);
    if (companyId === undefined || !(await isThere(target, companyId))) {
      note(report, `the company ${name} was deleted here after an earlier run and does not come again`);
      continue;
    }
    report.companies.push({ name, kinds: [] });
    const ids = createIdMap();
    const chats = new Map<number, Chat>();
    const groups = new Set<number>(await target.inCompany(companyId, (tx) => findGroups(tx, companyId)));
    await moveCompany({ ...move, target, companyId, oldCompanyId: id, ids, chats, groups, onProgress });
    await target.saveReport(report, "running");
  }
}

/** Undefined id: the version knows no companies. */
async function readCompanies(family: Family, only: number | undefined): Promise<SourceCompany[]> {
  if (!family.has("Companies")) {
    return [{ id: null, name: "Whaticket" }];
  }
  const found: { id: number; name: string }[] = [];
  for await (const rows of family.read({ table: "Companies", columns: ["id", "name"] }, null)) {
    found.push(...rows.map((row) => ({ id: Number(row["id"]), name: textOf(row["name"]) })));
  }
  return found.filter(({ id }) => only === undefined || id === only);
}

async function isThere(target: MoveTarget, companyId: number): Promise<boolean> {
  if (target.runId === 0) {
    return true;
  }
  return target.inCompany(null, (tx) => hasCompany(tx, companyId));
}

async function moveCompany(move: CompanyMove): Promise<void> {
  await loadKnown(move, kept);
  await moveSettings(move);
  await moveQueues(move);
  await moveQueueOptions(move);
  await moveConnections(move);
  await moveUsers(move);
  await moveUserQueues(move);
  await moveTags(move);
  await moveContacts(move);
  const earlier = new Set(move.ids.all("tickets"));
  await moveTickets(move);
  await refreshStates(move, earlier);
  await loadChats(move);
  await moveTicketTags(move);
  await moveNotes(move);
  await moveQuickMessages(move);
  await moveContactLists(move);
  await moveCampaigns(move);
  await moveSchedules(move);
  await moveMessages(move);
  await refreshMovedTickets(move.target, move.companyId);
}

async function loadKnown({ target, companyId, ids }: MoveScope, entities: readonly string[]): Promise<void> {
  const rows = await target.inCompany(companyId, (tx) => tx.findAllMoved(entities));
  rows.forEach(({ entity, oldId, newId }) => ids.add(entity, oldId, newId));
}

/** Conversations that an earlier run brought. */
async function loadChats({ target, companyId, chats, ids }: CompanyMove): Promise<void> {
  const missing = [...ids.all("tickets")].filter((id) => !chats.has(id));
  const found = await target.inCompany(companyId, (tx) => findTickets(tx, companyId, missing));
  found.forEach(({ id, status, ...chat }) => chats.set(id, { ...chat, isClosed: status === "closed" }));
}

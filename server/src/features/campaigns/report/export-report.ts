import { byteOrderMark, csvLine, errorStatus } from "@prosa/contract";
import type { ErrorCode } from "@prosa/contract";
import { serverErrorWords } from "@prosa/contract/server-errors.i18n";
import type { Language } from "@prosa/contract/i18n";
import { recordAudit } from "#server/platform/audit/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { companyProfileOf } from "#server/features/companies/index.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import { findCampaign } from "../campaigns.queries.ts";
import { exportWords } from "./export.i18n.ts";
import { findRecipientsAfter } from "./report.queries.ts";
import type { RecipientRow } from "./report.queries.ts";
import { writeXlsx } from "./write-xlsx.ts";

const rowsAtOnce = 1_000;

/** Whose results leave is written down before the first of them does. Throws ERR_NOT_FOUND. */
export async function recordExport(ctx: Ctx, id: number, format: string): Promise<void> {
  const { name } = await findCampaign(ctx, id);
  await recordAudit(ctx, { action: "report.exported", target: { type: "campaign", id, name }, details: { format } });
}

/** The contacts with their results as csv: semicolons, no cell is run as a formula. Holds one page of rows in memory (K-07). */
export async function* exportCsv(scope: Pick<RequestScope, "read">, campaignId: number): AsyncGenerator<string> {
  let isFirst = true;
  for await (const lines of pagesOf(scope, campaignId)) {
    yield (isFirst ? byteOrderMark : "") + lines.map((cells) => csvLine(cells)).join("");
    isFirst = false;
  }
}

/** The same as a spreadsheet, written as it is read. Its cells are texts: no formula either. */
export function exportXlsx(scope: Pick<RequestScope, "read">, campaignId: number): AsyncIterable<Uint8Array> {
  return writeXlsx(pagesOf(scope, campaignId));
}

/** The headings, then the rows, in the language and the time zone of the company. */
async function* pagesOf({ read }: Pick<RequestScope, "read">, campaignId: number): AsyncGenerator<string[][]> {
  const { language, timeZone } = await read((ctx) => companyProfileOf(ctx));
  const cellsOf = cellWriter(language, timeZone);
  yield [[...exportWords[language].headings]];
  let position = 0;
  for (;;) {
    const after = position;
    const page = await read((ctx) => findRecipientsAfter(ctx, campaignId, after, rowsAtOnce));
    const last = page.at(-1);
    if (!last) {
      return;
    }
    yield page.map(cellsOf);
    position = last.position;
  }
}

function cellWriter(language: Language, timeZone: string): (row: RecipientRow) => string[] {
  const { states } = exportWords[language];
  const dates = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  const time = (at: Date | null) => (at === null ? "" : dates.format(at));
  return (row) => [
    row.name,
    row.number,
    row.email,
    states[row.state],
    reasonText(row.reason, language),
    row.variant === null ? "" : String(row.variant),
    time(row.confirmationRequestedAt),
    time(row.confirmedAt),
    time(row.sentAt),
    time(row.deliveredAt),
    time(row.readAt),
    time(row.answeredAt),
  ];
}

function reasonText(reason: string | null, language: Language): string {
  if (reason === null) {
    return "";
  }
  const failures: Readonly<Record<string, string>> = exportWords[language].failures;
  return failures[reason] ?? (isErrorCode(reason) ? serverErrorWords[language][reason] : reason);
}

/** How it went for a recipient, in words; undefined for what is no state. Also of the data of a contact (V-02). */
export function recipientStateName(state: string, language: Language): string | undefined {
  return (exportWords[language].states as Readonly<Record<string, string>>)[state];
}

function isErrorCode(reason: string): reason is ErrorCode {
  return Object.hasOwn(errorStatus, reason);
}

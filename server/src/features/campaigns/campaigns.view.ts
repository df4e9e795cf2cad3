import { campaignRules } from "@prosa/contract";
import type { Campaign, CampaignCounts } from "@prosa/contract";
import { linkOfFile } from "#server/platform/storage/index.ts";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import type { CampaignRow } from "./campaigns.queries.ts";

/** A campaign as people see it, with a signed URL of its file. */
export function campaignView(media: MediaLinks, companyId: number, row: CampaignRow): Campaign {
  const { id, name, status, confirmation, contactList, tag, fileList, lines } = row;
  const [first] = lines;
  const link = linkOfFile(media, companyId, row);
  return {
    id,
    name,
    status,
    confirmation,
    ...variantsOf("message", row.messages),
    ...variantsOf("confirmationMessage", row.confirmationMessages),
    scheduledAt: row.scheduledAt?.toISOString() ?? null,
    startedAt: row.startedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    companyId,
    whatsappId: first?.id ?? null,
    whatsapp: first ? { id: first.id, name: first.name } : null,
    lines: [...lines],
    contactListId: contactList?.id ?? null,
    contactList,
    tagListId: tag?.id ?? null,
    tagList: tag,
    fileListId: fileList?.id ?? null,
    fileList,
    mediaPath: link,
    mediaName: row.media_name,
    mediaUrl: link,
    counts: countsOf(row.counts ?? {}),
    createdAt: row.createdAt.toISOString(),
  };
}

type Variants<Prefix extends string> = { readonly [N in 1 | 2 | 3 | 4 | 5 as `${Prefix}${N}`]: string };

function variantsOf<Prefix extends string>(prefix: Prefix, texts: readonly string[]): Variants<Prefix> {
  const fields = Array.from({ length: campaignRules.variants }, (_, index) => [
    `${prefix}${index + 1}`,
    texts[index] ?? "",
  ]);
  return Object.fromEntries(fields) as Variants<Prefix>;
}

/** The numbers of the report from the kept counts: states, and what happened to contacts. */
export function countsOf(kept: Readonly<Record<string, number>>): CampaignCounts {
  const of = (counted: string) => kept[counted] ?? 0;
  const waiting = of("unchecked") + of("waiting") + of("asked") + of("agreed");
  const read = of("read");
  const delivered = of("delivered") + read;
  const sent = of("sent") + delivered;
  const excluded = of("invalid") + of("duplicate");
  const settled = of("failed") + of("declined") + of("unanswered") + of("optedOut");
  const valid = waiting + of("queued") + sent + settled;
  return {
    total: valid + excluded,
    valid,
    waiting,
    confirmationRequested: of("confirmationRequested"),
    confirmed: of("confirmed"),
    queued: of("queued"),
    sent,
    delivered,
    read,
    answered: of("answered"),
    failed: of("failed"),
    declined: of("declined"),
    unanswered: of("unanswered"),
    optedOut: of("optedOut"),
    invalid: of("invalid"),
    duplicate: of("duplicate"),
  };
}

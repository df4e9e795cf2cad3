import type { Contact, ContactSummary } from "@prosa/contract";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import type { ContactRow } from "./contacts.queries.ts";

export function contactView(media: MediaLinks, companyId: number, row: ContactRow): Contact {
  const picture = pictureUrl(media, companyId, row.picture_path);
  return {
    id: row.id,
    name: row.name,
    number: row.number ?? "",
    email: row.email,
    isGroup: row.is_group,
    urlPicture: picture,
    profilePicUrl: picture,
    isBlocked: row.is_blocked,
    extraInfo: row.extra_info,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function contactSummaryView(media: MediaLinks, companyId: number, row: ContactRow): ContactSummary {
  const { id, name, number, email, is_group: isGroup, picture_path: picture } = row;
  const address = pictureUrl(media, companyId, picture);
  return { id, name, number: number ?? "", email, isGroup, urlPicture: address, profilePicUrl: address };
}

function pictureUrl(media: MediaLinks, companyId: number, key: string | null): string | null {
  return key === null ? null : media.link({ companyId, key, contentType: "image/jpeg" });
}

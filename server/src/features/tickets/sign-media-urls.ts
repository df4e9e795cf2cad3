import type { MediaLinks } from "#server/platform/storage/index.ts";

/**
 * Views come from the database with a marker where a signed address belongs: `media:<content type>|<file name>|<key>`.
 * Only these two fields are looked at; inside a text value a quote is escaped, so that no text can pretend to be one.
 */
const marker = /"(mediaUrl|profilePicUrl)" ?: ?("media:(?:[^"\\]|\\.)*")/g;
const parts = /^media:([^|]*)\|(.*)\|([^|]+)$/s;

/** Replaces the markers in the JSON text of views. */
export function signMediaUrls(media: MediaLinks, companyId: number, json: string): string {
  if (!json.includes('"media:')) {
    return json;
  }
  return json.replace(marker, (_all, field: string, text: string) => {
    const [, contentType = "", name = "", key = ""] = parts.exec(JSON.parse(text) as string) ?? [];
    const file = { companyId, key, contentType, ...(name !== "" && { name }) };
    return `"${field}":${JSON.stringify(media.link(file))}`;
  });
}

/** The same for a view that is parsed already. */
export function signViewMediaUrls<T extends object>(media: MediaLinks, companyId: number, view: T): T {
  const json = JSON.stringify(view);
  return json.includes('"media:') ? (JSON.parse(signMediaUrls(media, companyId, json)) as T) : view;
}

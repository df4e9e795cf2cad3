import type { MediaLinks } from "#server/platform/storage/index.ts";

/**
 * The database writes views with a marker in place of a signed URL: `media:<content type>|<file name>|<key>`. Only these
 * fields are replaced; inside a text value a quote is escaped, so that no message text can match.
 */
const marker = /"(mediaUrl|mediaPath|profilePicUrl|urlPicture)" ?: ?("media:(?:[^"\\]|\\.)*")/g;
const parts = /^media:([^|]*)\|(.*)\|([^|]+)$/s;

/** Signs the media URLs in the JSON text of views. */
export function signMediaUrls(media: MediaLinks, companyId: number, json: string): string {
  if (!json.includes('"media:')) {
    return json;
  }
  // A view names a file under two fields, and a picture in each message of its contact.
  const links = new Map<string, string>();
  const linkOf = (text: string) => {
    const [, contentType = "", name = "", key = ""] = parts.exec(JSON.parse(text) as string) ?? [];
    return JSON.stringify(media.link({ companyId, key, contentType, ...(name !== "" && { name }) }));
  };
  return json.replace(marker, (_all, field: string, text: string) => {
    const link = links.get(text) ?? linkOf(text);
    links.set(text, link);
    return `"${field}":${link}`;
  });
}

/** The same for a parsed view. */
export function signViewMediaUrls<T extends object>(media: MediaLinks, companyId: number, view: T): T {
  const json = JSON.stringify(view);
  return json.includes('"media:') ? (JSON.parse(signMediaUrls(media, companyId, json)) as T) : view;
}

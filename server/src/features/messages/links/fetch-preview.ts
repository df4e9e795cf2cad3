import { fetchPublic } from "#server/platform/net/index.ts";
import type { FetchGuard } from "#server/platform/net/index.ts";
import { scalePicture } from "#server/platform/scale-picture.ts";
import { readPageMeta } from "./page-meta.ts";

/** The preview of a page, as it is stored. */
export interface LinkPreview {
  readonly title: string;
  readonly description: string;
  /** A small JPEG of ours. */
  readonly picture: Uint8Array | null;
}

/** Undefined for a page without a title; rejects for one that cannot be read. */
export type FetchPreview = (url: string, signal: AbortSignal, companyId: number) => Promise<LinkPreview | undefined>;

const maxBytes = 1_048_576;
const timeoutMs = 5_000;
/** Twice the 72 px in which it is shown. */
const pictureSize = 144;

/** Fetches a page and its picture, through the guard against private networks. */
export function createFetchPreview(guard?: FetchGuard): FetchPreview {
  return async (address, signal, companyId) => {
    const get = (url: string | URL, accepts: RegExp, isCut: boolean) =>
      fetchPublic(url, {
        accepts,
        maxBytes,
        isCut,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        ...(guard && { guard }),
      });
    const page = await get(address, /^text\/html\b/iu, true);
    const meta = readPageMeta(page.body, page.contentType);
    if (!meta) {
      return undefined;
    }
    const pictureUrl = meta.picture === undefined ? null : URL.parse(meta.picture, page.url.href);
    // A page without its picture is a preview all the same.
    const picture = pictureUrl && (await get(pictureUrl, /^image\//iu, false).catch(() => null));
    return {
      title: meta.title,
      description: meta.description,
      picture: picture && (await smallPicture(picture.body, companyId)),
    };
  };
}

/** A small JPEG of a picture; null for what is none, whatever it calls itself. */
export async function smallPicture(bytes: Uint8Array, companyId: number): Promise<Uint8Array | null> {
  if (!isBitmap(bytes)) {
    return null;
  }
  try {
    return (await scalePicture(bytes, companyId, { side: pictureSize, fit: "cover", quality: 70 })).jpeg;
  } catch {
    return null;
  }
}

/** JPEG, PNG, GIF or WebP by content: SVG and others have parsers that a stranger's file must not reach. */
function isBitmap(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  return /^(\xFF\xD8\xFF|\x89PNG|GIF8|RIFF[^]{4}WEBP)/u.test(start);
}

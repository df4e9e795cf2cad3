/** The last view of each ticket in memory, with its row version: no invalidation is needed, because a changed row has another one (decision 0096). */
import { LRUCache } from "lru-cache";
import type { MediaLinks } from "#server/platform/storage/index.ts";
import { signMediaUrls } from "./sign-media-urls.ts";
import type { Names } from "./tickets.view-names.ts";

/** Characters or bytes, for all companies together; a view has about a thousand with the addresses of its picture. */
const MAX_SIZE = 32 * 1024 * 1024;

/** As it is sent: signing forty views anew was a quarter of a list's CPU, and turning their text to bytes another (decision 0280). */
interface SignedView {
  readonly bytes: Buffer;
  readonly period: string;
}

interface Kept {
  /** A `ticketVersion`. */
  readonly version: string;
  /** Valid only with the names it was written with, which belong to one company and database. */
  readonly names: Names;
  /** A text is signed when it is wanted first. */
  readonly view: string | SignedView;
}

/** By the ticket's id. */
const cache = new LRUCache<number, Kept>({
  maxSize: MAX_SIZE,
  sizeCalculation: ({ view }) => (typeof view === "string" ? view.length : view.bytes.length),
});

/** Signs the views of a company. */
export interface ViewSigner {
  readonly media: MediaLinks;
  readonly companyId: number;
}

/** A `ticketVersion` begins with the id. */
export const ticketIdOf = (version: string) => Number.parseInt(version, 10);

/** Is a view of this ticket kept, of whichever version and with whichever names? */
export const isViewKept = (ticketId: number): boolean => cache.has(ticketId);

/** JSON of the view of this row version as UTF-8, with these names filled in and its media URLs signed. */
export function keptView(version: string, names: Names, signer: ViewSigner): Buffer | undefined {
  const kept = cache.get(ticketIdOf(version));
  if (kept?.version !== version || kept.names !== names) {
    return undefined;
  }
  const { view } = kept;
  if (typeof view === "string") {
    return keepSigned(version, names, view, signer);
  }
  return view.period === signer.media.period() ? view.bytes : undefined;
}

/** Only of committed rows: a transaction that writes a row twice leaves the first version with the name of the second. */
export function keepView(version: string, names: Names, view: string): void {
  cache.set(ticketIdOf(version), { version, view, names });
}

/** As `keepView`, of a view that is wanted now. Returns its bytes, as `keptView`. */
export function keepSigned(version: string, names: Names, view: string, { media, companyId }: ViewSigner): Buffer {
  const period = media.period();
  const text = signMediaUrls(media, companyId, view);
  // Memory of its own: a slice of Node's pool would hold all of its eight kilobytes.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  cache.set(ticketIdOf(version), { version, view: { bytes, period }, names });
  return bytes;
}

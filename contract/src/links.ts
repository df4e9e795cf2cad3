/** Which address of a text has a preview? */

/** Only what a browser opens as a page of the web. It ends before the punctuation that closes a sentence. */
const link = /\b(?:https?:\/\/|www\.)[^\s<>"'\\]{1,2000}[^\s<>"'\\.,;:!?)\]}*_~]/iu;
/** A name with a dot, and no password before it. */
const publicHost = /^https?:\/\/[^/?#@]+\.[^/?#@]+(?:[/?#]|$)/iu;

export interface Link {
  /** As written in the text. */
  readonly address: string;
  /** With its scheme. */
  readonly url: string;
}

/** The first address of a text; undefined without one, or where its host has no public name. */
export function firstLink(text: string): Link | undefined {
  const address = link.exec(text)?.[0];
  const url = address === undefined || /^https?:/iu.test(address) ? address : `https://${address}`;
  return address !== undefined && url !== undefined && publicHost.test(url) ? { address, url } : undefined;
}

import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Signer } from "../auth/index.ts";
import type { Clock } from "../clock/index.ts";
import { shortFileName } from "./file-name.ts";

/** File facts inside a media URL, so that serving it needs no query for them. */
export interface MediaFile {
  readonly companyId: number;
  readonly key: string;
  readonly contentType: string;
  /** File name for downloads. */
  readonly name?: string | undefined;
}

/** Signed URLs of files, valid until they expire. */
export interface MediaLinks {
  /**
   * `{PUBLIC_URL}/media/{token}`, valid for 24 to 48 hours and constant during a day, so that browsers can cache it. Absolute,
   * because other clients of the family are served from other origins; never from the request's Host header, which anybody may
   * forge (decision 0153).
   */
  link(file: MediaFile): string;
  /** As long as this is the same, so is the address of each file: what was written with it may be kept. */
  period(): string;
  read(token: string): { readonly state: "valid" | "expired"; readonly file: MediaFile } | undefined;
}

/** The address of a row's file; null without one. */
export function linkOfFile(
  media: MediaLinks,
  companyId: number,
  file: {
    readonly media_path: string | null;
    readonly media_name: string | null;
    readonly media_type: string | null;
  },
): string | null {
  const { media_path: key, media_name: name, media_type: type } = file;
  return key === null
    ? null
    : media.link({ companyId, key, contentType: type ?? "application/octet-stream", name: name ?? undefined });
}

/** Signed texts of the day, for all companies together; one has some three hundred characters. */
const maxCharacters = 16 * 1024 * 1024;
const dayMs = 24 * 60 * 60 * 1000;
const purpose = "media";
/** Media types come from senders: an invalid one could break the header or be misread by a browser. */
const mediaType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(; ?codecs=[\w.]{1,20})?$/;
const packed = z.tuple([z.number().int(), z.string(), z.string(), z.string().optional()]);

export function createMediaLinks(signer: Signer, clock: Clock, publicUrl: () => string): MediaLinks {
  // Signing was 27 % of a list's CPU: every answer names the same pictures, and a day's token of a file is constant.
  const tokens = new LRUCache<string, string>({
    maxSize: maxCharacters,
    sizeCalculation: (token, file) => token.length + file.length,
  });
  let dayOfTokens = 0;
  const today = () => Math.floor(clock.now().getTime() / dayMs);

  function tokenOf(companyId: number, key: string, contentType: string, name: string | undefined): string {
    const day = today();
    if (day !== dayOfTokens) {
      tokens.clear();
      dayOfTokens = day;
    }
    const file = `${companyId}\n${contentType}\n${key}${name === undefined ? "" : `\n${name}`}`;
    const kept = tokens.get(file);
    if (kept !== undefined) {
      return kept;
    }
    const type = mediaType.test(contentType) ? contentType : "application/octet-stream";
    const payload = [companyId, key, type, ...(name === undefined ? [] : [shortFileName(name)])];
    const endOfTomorrow = new Date((day + 2) * dayMs);
    const token = signer.sign(purpose, JSON.stringify(payload), endOfTomorrow);
    tokens.set(file, token);
    return token;
  }

  return {
    link({ companyId, key, contentType, name }) {
      if (!key.startsWith(`company/${companyId}/`)) {
        throw new Error(`The file ${key} does not belong to company ${companyId}`);
      }
      return `${publicUrl()}/media/${tokenOf(companyId, key, contentType, name)}`;
    },
    period: () => `${today()} ${publicUrl()}`,
    read(token) {
      const verdict = signer.verify(purpose, token);
      if (verdict.state === "forged") {
        return undefined;
      }
      const [companyId, key, contentType, name] = packed.parse(JSON.parse(verdict.payload));
      return { state: verdict.state, file: { companyId, key, contentType, name } };
    },
  };
}

import { z } from "zod";
import type { Signer } from "../auth/index.ts";
import type { Clock } from "../clock/index.ts";
import { shortFileName } from "./file-name.ts";

/** A file as its address tells it: no table is asked when it is fetched. */
export interface MediaFile {
  readonly companyId: number;
  readonly key: string;
  readonly contentType: string;
  /** Under which the browser saves it. */
  readonly name?: string | undefined;
}

/** Addresses that show one file to whoever has them, until they expire. */
export interface MediaLinks {
  /** `/media/{token}`, good for 24 to 48 hours and the same all day long, so that the browser's cache works. */
  link(file: MediaFile): string;
  read(token: string): { readonly state: "valid" | "expired"; readonly file: MediaFile } | undefined;
}

const dayMs = 24 * 60 * 60 * 1000;
const purpose = "media";
/** Customers name the types of what they send: what is none would spoil the header, or pass for another in a browser. */
const mediaType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(; ?codecs=[\w.]{1,20})?$/;
const packed = z.tuple([z.number().int(), z.string(), z.string(), z.string().optional()]);

export function createMediaLinks(signer: Signer, clock: Clock): MediaLinks {
  return {
    link({ companyId, key, contentType, name }) {
      if (!key.startsWith(`company/${companyId}/`)) {
        throw new Error(`The file ${key} does not belong to company ${companyId}`);
      }
      const endOfTomorrow = new Date((Math.floor(clock.now().getTime() / dayMs) + 2) * dayMs);
      const type = mediaType.test(contentType) ? contentType : "application/octet-stream";
      const file = [companyId, key, type, ...(name === undefined ? [] : [shortFileName(name)])];
      return `/media/${signer.sign(purpose, JSON.stringify(file), endOfTomorrow)}`;
    },
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

import { createHash, randomBytes } from "node:crypto";
import { passkeyMinutes } from "@prosa/contract";
import { takeSharedTokens } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";

/** Challenges of the Web Authentication standard: signed and short-lived, so none is stored before it was used. */

/** Longer than a challenge lives: a used one is remembered as an empty bucket. */
const once = { max: 1, perSeconds: 86_400 };

/** `purpose` says what it may be answered for: a sign-in, or the passkey of one user. */
export function newChallenge({ signer, clock }: Services, purpose: string): string {
  const expiresAt = new Date(clock.now().getTime() + passkeyMinutes * 60_000);
  return signer.sign(`passkey ${purpose}`, randomBytes(16).toString("base64url"), expiresAt);
}

/** For the library: is this answered challenge one of ours, fresh, and answered for the first time? */
export function takeChallenge(services: Services, purpose: string) {
  return async (answered: string): Promise<boolean> => {
    const challenge = Buffer.from(answered, "base64url").toString("utf8");
    const isOurs = services.signer.verify(`passkey ${purpose}`, challenge).state === "valid";
    const name = createHash("sha256").update(challenge).digest("base64url");
    return isOurs && takeSharedTokens(services, `passkey-used:${name}`, once);
  };
}

/** Where passkeys of this installation are good: its host, and the origins that its pages come from. */
export function relyingParty({ config, publicUrl }: Services) {
  const urls = [publicUrl(), ...config.frontendUrls].map((url) => new URL(url));
  return { id: urls[0]!.hostname, origins: urls.map(({ origin }) => origin) };
}

import { Secret, TOTP } from "otpauth";

/** Codes of authenticator apps (RFC 6238): six digits, SHA-1 and 30 s, which is what every app supports. */
const periodSeconds = 30;
/** Steps before and after the present one: a clock may be half a minute wrong. */
const window = 1;

/** 160 random bits as RFC 4226 recommends, in base 32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** What the QR code says: issuer, account and secret. */
export function totpUri(secret: string, account: string): string {
  return totpOf(secret, account).toString();
}

/** The time step of a right code; undefined for a wrong one. Compares in constant time. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window });
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / periodSeconds) + delta;
}

function totpOf(secret: string, label = "Prosa"): TOTP {
  return new TOTP({
    issuer: "Prosa",
    label,
    algorithm: "SHA1",
    digits: 6,
    period: periodSeconds,
    secret: Secret.fromBase32(secret),
  });
}

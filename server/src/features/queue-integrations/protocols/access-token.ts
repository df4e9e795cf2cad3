import { createHash } from "node:crypto";
import { importPKCS8, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { IntegrationError, parseAnswer } from "./protocol.ts";
import type { Caller } from "./protocol.ts";

/** What we read of a service account's key file. */
const account = z.object({
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
  project_id: z.string().default(""),
  token_uri: z.url({ protocol: /^https?$/u }).default("https://oauth2.googleapis.com/token"),
});

const answer = z.object({ access_token: z.string().min(1), expires_in: z.number().default(3_600) });
const scope = "https://www.googleapis.com/auth/dialogflow";
const hourSeconds = 3_600;
/** A token is asked for anew so long (ms) before it ends. */
const marginMs = 300_000;

interface Token {
  readonly token: string;
  readonly endsAt: number;
}
/** By a digest of the key file: a changed one has a token of its own. */
const tokens = new LRUCache<string, Token>({ max: 200 });

/**
 * An access token of a service account: the JWT bearer grant of RFC 7523, as Google publishes it. The address of the token endpoint
 * stands in the key file, so it is guarded like any address that a user writes. Kept in memory until it ends.
 */
export async function accessToken(
  keyFile: string,
  caller: Caller,
  at: Date,
): Promise<{ readonly token: string; readonly projectId: string }> {
  if (keyFile === "") {
    throw new IntegrationError("no account");
  }
  const parsed = account.safeParse(parseKeyFile(keyFile));
  if (!parsed.success) {
    throw new IntegrationError("bad account", parsed.error.issues[0]?.path.join(".") ?? "");
  }
  const { project_id: projectId, token_uri: url } = parsed.data;
  const digest = digestOf(keyFile);
  const kept = tokens.get(digest);
  if (kept && kept.endsAt > at.getTime()) {
    return { token: kept.token, projectId };
  }
  const assertion = await signAssertion(parsed.data, at);
  const { status, text } = await caller.post(url, {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion }).toString(),
  });
  const granted = status === 200 ? answer.safeParse(parseAnswer(text)).data : undefined;
  if (!granted) {
    throw new IntegrationError("account refused", `HTTP ${status}`);
  }
  const endsAt = at.getTime() + granted.expires_in * 1_000 - marginMs;
  tokens.set(digest, { token: granted.access_token, endsAt });
  return { token: granted.access_token, projectId };
}

/** A token that the service refused is asked for anew by the next call. */
export function forgetToken(keyFile: string): void {
  tokens.delete(digestOf(keyFile));
}

function digestOf(keyFile: string): string {
  return createHash("sha256").update(keyFile).digest("base64");
}

function parseKeyFile(keyFile: string): unknown {
  try {
    return JSON.parse(keyFile);
  } catch {
    return undefined;
  }
}

async function signAssertion(of: z.output<typeof account>, at: Date): Promise<string> {
  const now = Math.floor(at.getTime() / 1_000);
  try {
    const key = await importPKCS8(of.private_key, "RS256");
    return await new SignJWT({ scope })
      .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(of.private_key_id && { kid: of.private_key_id }) })
      .setIssuer(of.client_email)
      .setAudience(of.token_uri)
      .setIssuedAt(now)
      .setExpirationTime(now + hourSeconds)
      .sign(key);
  } catch (cause) {
    throw new IntegrationError("bad account", "private_key", { cause });
  }
}

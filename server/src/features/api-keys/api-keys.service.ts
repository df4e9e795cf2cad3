import { randomUUID } from "node:crypto";
import { apiKeyRules, pageSize, profiles } from "@prosa/contract";
import type { ApiKey, ApiKeyBody, Profile } from "@prosa/contract";
import { recordAudit } from "#server/platform/audit/index.ts";
import { hashSecret, newSecret } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { ResponseValue } from "#server/platform/http/index.ts";
import { countLiveKeys, findKey, findKeyPage, insertKey, revokeKey } from "./api-keys.queries.ts";
import type { ApiKeyRow } from "./api-keys.queries.ts";

type KeyView = ResponseValue<ApiKey>;

/** The company's keys, the newest first, with those that were revoked or are over. */
export async function listKeys(ctx: Ctx, pageNumber: number) {
  const { rows, count } = await findKeyPage(ctx, pageNumber);
  return { apiKeys: rows.map(view), count, hasMore: pageNumber * pageSize.others < count };
}

/**
 * Makes a key that acts in the name of its maker; only this answer contains it. ERR_VALIDATION for an expiry in the past,
 * ERR_PLAN_LIMIT where the company has too many, ERR_NO_PERMISSION for a role above the maker's.
 */
export async function createKey(ctx: Ctx, body: ApiKeyBody): Promise<KeyView & { readonly key: string }> {
  const { actor } = ctx;
  if (actor.kind !== "user" || lowerProfile(actor.profile, body.profile) !== body.profile) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  const expiresAt = body.expiresAt === null ? null : new Date(body.expiresAt);
  if (expiresAt && expiresAt <= ctx.now()) {
    throw new AppError("ERR_VALIDATION", { fields: { expiresAt: "In the past" } });
  }
  if ((await countLiveKeys(ctx)) >= apiKeyRules.max) {
    throw new AppError("ERR_PLAN_LIMIT", { max: apiKeyRules.max });
  }
  const id = randomUUID();
  const key = `${apiKeyRules.prefix}${newSecret()}`;
  const { name, profile } = body;
  await insertKey(ctx, {
    id,
    userId: actor.userId,
    name,
    beginning: key.slice(0, apiKeyRules.shownLetters),
    keyHash: hashSecret(key),
    profile,
    scopes: [...new Set(body.scopes)],
    expiresAt,
  });
  await recordAudit(ctx, {
    action: "api-key.created",
    target: { type: "api-key", id, name },
    details: { profile, scopes: body.scopes, expiresAt },
  });
  return { ...view(await requireKey(ctx, id)), key };
}

/** From the next call on it is refused. ERR_NOT_FOUND. */
export async function removeKey(ctx: Ctx, id: string): Promise<KeyView> {
  const isRevoked = await revokeKey(ctx, id);
  const row = await requireKey(ctx, id);
  if (isRevoked) {
    await recordAudit(ctx, { action: "api-key.revoked", target: { type: "api-key", id, name: row.name } });
  }
  return view(row);
}

/** The one with fewer rights. */
export function lowerProfile(one: Profile, other: Profile): Profile {
  return profiles.indexOf(one) < profiles.indexOf(other) ? one : other;
}

async function requireKey(ctx: Ctx, id: string): Promise<ApiKeyRow> {
  const row = await findKey(ctx, id);
  if (!row) {
    throw new AppError("ERR_NOT_FOUND", { apiKeyId: id });
  }
  return row;
}

function view({ userId, userName, id, name, beginning, profile, scopes, ...times }: ApiKeyRow): KeyView {
  const { expiresAt, lastUsedAt, revokedAt, createdAt } = times;
  return {
    id,
    name,
    beginning,
    profile,
    scopes,
    expiresAt,
    lastUsedAt,
    revokedAt,
    createdAt,
    user: { id: userId, name: userName },
  };
}

import { randomBytes } from "node:crypto";
import type { AuditAction, AuditActorKind, AuditTarget } from "@prosa/contract";
import type { Actor, Ctx } from "../ctx.ts";
import type { SystemTx } from "../db/index.ts";
import { storableText } from "../storable-text.ts";
import { insertAuditRow } from "./audit.queries.ts";
import type { NewAuditRow } from "./audit.queries.ts";
import { requestCaller } from "./caller.ts";
import { personalHash } from "./personal-hash.ts";

/** What happened, to what. */
export interface AuditEntry {
  readonly action: AuditAction;
  readonly target?: {
    readonly type: AuditTarget;
    readonly id?: number | string | null;
    /** As people know it: a name, never a secret. */
    readonly name?: string | null;
  };
  /**
   * The contact whose name, number or words stand in `target.name` or `details`: erasing that contact empties both and
   * leaves the rest. Set it wherever an entry tells of a contact, a ticket or a message.
   */
  readonly contactId?: number | null;
  /** Facts as JSON, for example `changedFields(before, after)`. Never secrets; values under names that sound like one are masked. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Who did it, where it is not the request's actor: at sign-in nobody is signed in yet. */
export interface AuditActor {
  readonly kind: AuditActorKind;
  readonly userId?: number | null;
  readonly name?: string | null;
}

/** Where it came from, where there is no request: a job that records what a request tried. */
export interface AuditOrigin {
  readonly address: string;
  readonly userAgent: string;
}

/**
 * Writes an entry of the company's audit log (V-01) within the transaction of what it tells of: both are saved, or neither.
 * Who is `ctx.actor`, from where is the request that is being handled; in a job there is none. One insert, which waits for
 * nobody: a job chains the row within a minute (decision 0209).
 *
 *     await recordAudit(ctx, { action: "queue.deleted", target: { type: "queue", id: queue.id, name: queue.name } });
 */
export async function recordAudit(ctx: Ctx, entry: AuditEntry): Promise<void> {
  const by = actorOf(ctx.actor, ctx.companyId);
  await insertAuditRow(ctx.db, auditRow(ctx.companyId, ctx.now(), by, byKey(ctx.actor, entry)));
}

/** The company that an entry of a system transaction belongs to, and when it happened. */
export interface AuditScope {
  readonly companyId: number;
  readonly now: Date;
  /** Default: the actor of the request, or the system. */
  readonly actor?: AuditActor;
  /** Default: that of the request, or none. */
  readonly origin?: AuditOrigin;
}

/**
 * The same in a transaction of the system role, for what the operator, a sign-in or a cron does to `companyId`. A person of
 * another company (the operator) is recorded as `operator`.
 */
export async function recordAuditOf(tx: Pick<SystemTx, "db">, scope: AuditScope, entry: AuditEntry): Promise<void> {
  await insertAuditRow(tx.db, auditRowOf(scope, entry));
}

/** The row of an entry, for a statement that writes it along with other things (`auditInsert`). */
export function auditRowOf({ companyId, now, actor, origin }: AuditScope, entry: AuditEntry): NewAuditRow {
  const caller = requestCaller()?.actor;
  return auditRow(companyId, now, actor ?? actorOf(caller, companyId), byKey(caller, entry), origin);
}

/**
 * The fields of `after` that differ from `before`, as `{ field: { from, to } }`, or undefined where nothing changed. Fields
 * that `after` does not have are unchanged; secrets (by their names, or listed) are told as changed without values, and an empty
 * one is none (decision 0149).
 */
export function changedFields(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  secrets: readonly string[] = [],
): Record<string, unknown> | undefined {
  const changed = Object.entries(after).filter(
    ([key, to]) =>
      to !== undefined &&
      !(to === "" && secrets.includes(key)) &&
      JSON.stringify(to) !== JSON.stringify(before[key] ?? null),
  );
  if (changed.length === 0) {
    return undefined;
  }
  return Object.fromEntries(
    changed.map(([key, to]) => [key, secrets.includes(key) ? MASK : { from: before[key] ?? null, to }]),
  );
}

const MASK = "***";
/** Not of counted tokens (`maxTokens`), nor of whether there is a key (`hasApiKey`). */
const soundsSecret = /password|secret|token(?!s)|(?<!has)api_?key|private|certificate|hash$|^asaas$/i;
/** Long texts (greetings, notes) are recorded by their beginning. */
const MAX_TEXT = 300;

function actorOf(actor: Actor | undefined, companyId: number): AuditActor {
  switch (actor?.kind) {
    case "user": {
      const kind = actor.support ? "support" : actor.companyId === companyId ? "user" : "operator";
      return { kind, userId: actor.userId, name: actor.name };
    }
    case "line":
      return { kind: "line", name: `#${actor.connectionId}` };
    case "system":
      return { kind: "system" };
    default:
      return { kind: requestCaller() ? "guest" : "system" };
  }
}

/** A key acts in its maker's name: the entry says which. */
function byKey(actor: Actor | undefined, entry: AuditEntry): AuditEntry {
  const key = actor?.kind === "user" ? actor.apiKey : undefined;
  return key ? { ...entry, details: { ...entry.details, byKey: key.name, byKeyId: key.id } } : entry;
}

function auditRow(
  companyId: number,
  now: Date,
  actor: AuditActor,
  { action, target, contactId = null, details = {} }: AuditEntry,
  origin: AuditOrigin | undefined = requestCaller(),
): NewAuditRow {
  const salt = randomBytes(16);
  const personal = {
    targetName: storable(target?.name ?? null),
    details: masked(details) as Record<string, unknown>,
  };
  return {
    company_id: companyId,
    at: now,
    actor_kind: actor.kind,
    user_id: actor.userId ?? null,
    user_name: storable(actor.name ?? null),
    action,
    target_type: target?.type ?? null,
    target_id: target?.id === undefined || target.id === null ? null : String(target.id),
    target_name: personal.targetName,
    contact_id: contactId,
    details: personal.details,
    address: storable(origin?.address ?? null),
    user_agent: storable(origin?.userAgent ?? null),
    salt,
    personal_hash: personalHash(salt, personal),
  };
}

function storable(text: string | null): string | null {
  const clean = storableText(text ?? "")
    .slice(0, MAX_TEXT)
    .toWellFormed();
  return clean === "" ? null : clean;
}

/** Plain JSON without undefined, secrets, and long texts. */
function masked(value: unknown): unknown {
  if (typeof value === "string") {
    return storable(value) ?? "";
  }
  if (value instanceof Date) {
    return value.toISOString();
  }
  if (Array.isArray(value)) {
    return value.map((each) => masked(each ?? null));
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([key, each]) => [key, soundsSecret.test(key) && each !== null ? MASK : masked(each)]),
    );
  }
  return typeof value === "bigint" ? String(value) : value;
}

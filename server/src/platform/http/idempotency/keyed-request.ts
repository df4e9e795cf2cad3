import { createHash } from "node:crypto";
import { idempotencyKey } from "@prosa/contract";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Actor } from "../../ctx.ts";
import { parseInput } from "../requests/index.ts";
import type { Upload } from "../requests/index.ts";

/** A request that its client may send again without anything being made twice. */
export interface KeyedRequest {
  readonly companyId: number;
  /** Whose key it is. Another caller who sends the same key gets nothing of it. */
  readonly caller: string;
  readonly key: string;
  /** Method and path with its ids: another one under the same key is a mistake of the client. */
  readonly route: string;
  /** SHA-256 of what it carries, for the same reason. Of files their names and sizes: a digest of their bytes would read them once more. */
  readonly digest: Buffer;
}

/** The parsed input, in which the order of fields and what a client may leave out make no difference. */
interface Content {
  readonly query: unknown;
  readonly body: unknown;
  readonly files: readonly Upload[];
}

const headers = z.object({
  [idempotencyKey.header]: z.string().min(idempotencyKey.minLength).max(idempotencyKey.maxLength),
});

/** Undefined without a key, and for other calls than POST, which may be repeated as they are. ERR_VALIDATION for a key too short or long. */
export function readKeyedRequest(
  request: FastifyRequest,
  actor: Actor | undefined,
  content: Content,
): KeyedRequest | undefined {
  const given = request.headers[idempotencyKey.header];
  const caller = actor && callerOf(actor);
  if (given === undefined || request.method !== "POST" || !actor || caller === undefined) {
    return undefined;
  }
  const { [idempotencyKey.header]: key } = parseInput(headers, { [idempotencyKey.header]: given });
  const route = `POST ${request.url.split("?", 1)[0]}`;
  return { companyId: actor.companyId, caller, key, route, digest: digestOf(content) };
}

function digestOf({ query, body, files }: Content): Buffer {
  const named = files.map(({ name, size }) => [name, size]);
  return createHash("sha256")
    .update(JSON.stringify([query, body, named]))
    .digest();
}

/** Keys of the API have their own keys, and not those of their makers. */
function callerOf(actor: Actor): string | undefined {
  switch (actor.kind) {
    case "user":
      return actor.apiKey ? `key:${actor.apiKey.id}` : `user:${actor.userId}`;
    case "line":
      return `line:${actor.connectionId}`;
    case "system":
      return undefined;
  }
}

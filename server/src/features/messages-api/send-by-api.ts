import { createHash, randomUUID } from "node:crypto";
import { pipeline } from "node:stream/promises";
import type { ApiSendBody } from "@prosa/contract";
import { isBlank } from "@prosa/contract/blank";
import type { CheckNumber, ContactResolver } from "#server/features/contacts/index.ts";
import { storeUploads } from "#server/features/messages/index.ts";
import { checkTransferTarget } from "#server/features/tickets/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { RequestScope, Upload } from "#server/platform/http/index.ts";
import { deletingIfRefused } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { Held } from "./hold.ts";
import { enqueueReplies, heldJob } from "./messages-api.jobs.ts";
import type { ApiLimits } from "./messages-api.limits.ts";
import { findByKey, insertRequest, isAnyWaiting, readAddressFacts, saveStored } from "./messages-api.queries.ts";
import type { ApiHold, ApiRequest } from "./messages-api.queries.ts";
import type { ApiFile, ApiOptions } from "./messages-api.tables.ts";
import { storeMessage } from "./store-message.ts";

export interface ApiSendTools {
  readonly contacts: ContactResolver;
  readonly checkNumber: CheckNumber;
  readonly storage: Storage;
  readonly limits: ApiLimits;
}

export interface ApiSend {
  readonly connectionId: number;
  /** The caller's own name for the request; null: each request is a new one. */
  readonly idempotencyKey: string | null;
  readonly body: ApiSendBody;
  readonly files: readonly Upload[];
}

/**
 * Sends for other software, and returns the id by which it asks what became of it. The message is stored in the same
 * transaction as its id, or waits where the sending gate holds it. A repeated key answers the first id as a look-up does, and
 * ERR_IDEMPOTENCY_KEY_USED where it asks for something else. ERR_TOO_MANY_REQUESTS beyond the limits; ERR_WAPP_INVALID_CONTACT for a number that WhatsApp does not know,
 * ERR_NO_QUEUE_FOUND and ERR_NO_USER_FOUND for a queue or an agent that the company does not have.
 */
export async function sendByApi(scope: RequestScope, tools: ApiSendTools, send: ApiSend): Promise<string> {
  const { connectionId, idempotencyKey, body, files } = send;
  if (files.length === 0 && isBlank(body.body)) {
    throw new AppError("ERR_VALIDATION", { fields: { body: "Required" } });
  }
  const fingerprint = await fingerprintOf(body, files);
  const { queueId, userId, sendSignature, closeTicket } = body;
  const repeated = await scope.read(async (ctx) => {
    const known = await findRepeated(ctx, tools.limits, send, fingerprint);
    if (known === undefined) {
      await tools.limits.takeSend();
      // What the gate holds is placed later, when nobody is there to be told.
      await checkTransferTarget(ctx, null, { queueId, userId });
    }
    return known;
  });
  if (repeated !== undefined) {
    return repeated;
  }
  const { number, ...address } = await addressOf(scope, tools.checkNumber, connectionId, body.number);
  const stored = await storeFiles(scope, tools.storage, files);
  const request: ApiRequest = {
    id: randomUUID(),
    connectionId,
    idempotencyKey,
    fingerprint,
    number,
    body: body.body,
    options: { queueId, userId, sendSignature, closeTicket, ...address },
    files: stored,
  };
  const keys = stored.map(({ storageKey }) => storageKey);
  if (await deletingIfRefused(tools.storage, keys, () => storeOrHold(scope, tools.contacts, request))) {
    return request.id;
  }
  // The same key in another request at the same moment.
  await Promise.all([tools.limits.returnSend(), ...keys.map((key) => tools.storage.delete(key))]);
  const other = await scope.read((ctx) => findRepeated(ctx, tools.limits, send, fingerprint));
  if (other === undefined) {
    throw new AppError("ERR_UNAVAILABLE");
  }
  return other;
}

async function findRepeated(
  ctx: Ctx,
  limits: ApiLimits,
  { connectionId, idempotencyKey }: ApiSend,
  fingerprint: string,
): Promise<string | undefined> {
  const known = idempotencyKey === null ? undefined : await findByKey(ctx, connectionId, idempotencyKey);
  if (!known) {
    return undefined;
  }
  await limits.takeLookup();
  if (known.fingerprint !== fingerprint) {
    throw new AppError("ERR_IDEMPOTENCY_KEY_USED");
  }
  return known.id;
}

/** False where another request has its key. */
async function storeOrHold(scope: RequestScope, contacts: ContactResolver, request: ApiRequest): Promise<boolean> {
  const { id, connectionId, number } = request;
  try {
    return await scope.inCompany(async (ctx) => {
      if (!(await insertRequest(ctx, request, null))) {
        return false;
      }
      if (await isAnyWaiting(ctx, connectionId, number)) {
        throw new Held({ reason: "pace", until: ctx.now() });
      }
      await saveStored(ctx, id, await storeMessage(ctx, contacts, request));
      return true;
    });
  } catch (error) {
    if (error instanceof Held) {
      return scope.inCompany((ctx) => wait(ctx, request, error.hold));
    }
    throw error;
  }
}

async function wait(ctx: Ctx, request: ApiRequest, hold: ApiHold): Promise<boolean> {
  const isStored = await insertRequest(ctx, request, hold);
  if (isStored) {
    ctx.enqueue(heldJob(request, hold, ctx.now()));
    await enqueueReplies(ctx, request.connectionId, { of: request.number });
  }
  return isStored;
}

interface Address extends Pick<ApiRequest, "number">, Pick<ApiOptions, "lid" | "isSpelledByWhatsApp"> {}

/**
 * The number as WhatsApp spells it, whatever the caller's spelling (decision 0043): as its contact has it, or as WhatsApp answers. A
 * line that is not connected cannot be asked: then the first message corrects it.
 */
async function addressOf(
  { actor, read }: RequestScope,
  checkNumber: CheckNumber,
  connectionId: number,
  written: string,
): Promise<Address> {
  const { isConnected, isKnown, number } = await read((ctx) => readAddressFacts(ctx, connectionId, written));
  const asOnFile = { number, lid: null, isSpelledByWhatsApp: false };
  if (!actor || !isConnected || isKnown) {
    return asOnFile;
  }
  const person = await checkNumber(actor, connectionId, written);
  if (person === null) {
    throw new AppError("ERR_WAPP_INVALID_CONTACT", { number: written });
  }
  if (!person) {
    return asOnFile;
  }
  const { phone, lid } = person;
  return phone === null ? { ...asOnFile, lid } : { number: phone, lid, isSpelledByWhatsApp: true };
}

async function storeFiles({ actor }: RequestScope, storage: Storage, files: readonly Upload[]): Promise<ApiFile[]> {
  const stored = await storeUploads(storage, actor?.companyId ?? 0, files, false);
  return stored.map(({ storageKey, fileName, mimeType, size, width, height, thumbnail }) => ({
    storageKey,
    fileName,
    mimeType,
    size,
    width,
    height,
    thumbnail: thumbnail && Buffer.from(thumbnail).toString("base64"),
  }));
}

/** What tells two requests apart: the fields, and the bytes of the files. */
async function fingerprintOf(body: ApiSendBody, files: readonly Upload[]): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(body));
  for (const file of files) {
    hash.update(JSON.stringify([file.name, file.size]));
    const bytes = createHash("sha256");
    await pipeline(file.stream(), bytes);
    hash.update(bytes.digest());
  }
  return hash.digest("base64url");
}

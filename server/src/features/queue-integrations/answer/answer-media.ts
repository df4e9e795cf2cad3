import { randomUUID } from "node:crypto";
import { integrationRules } from "@prosa/contract";
import { fileTypeFromBuffer } from "file-type";
import type { BotMedia } from "#server/features/bot/index.ts";
import { callFailure, fetchPublic } from "#server/platform/net/index.ts";
import { shortFileName, storageKey } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { IntegrationError } from "../protocols/index.ts";

/** What WhatsApp shows or people open; by content, whatever the server called it. */
const sendable =
  /^(?:image\/(?:jpeg|png|webp|gif)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/(?:pdf|zip|rtf|x-cfb|vnd\.openxmlformats-officedocument\.[\w.]+|vnd\.oasis\.opendocument\.[\w.]+))(?:;|$)/u;

/**
 * Fetches a file that an answer names by its address, and keeps it as the file of a message. Guarded against private networks, also
 * after a redirect, and limited in size. Throws IntegrationError.
 */
export async function storeAnswerMedia(
  url: string,
  options: {
    readonly storage: Storage;
    readonly companyId: number;
    readonly mayBePrivate: boolean;
    readonly signal: AbortSignal;
  },
): Promise<BotMedia> {
  const { storage, companyId, mayBePrivate, signal } = options;
  const fetched = dataOf(url) ?? (await fetchFile(url, { mayBePrivate, signal }));
  const found = await fileTypeFromBuffer(fetched.body);
  if (!found || !sendable.test(found.mime)) {
    throw new IntegrationError("no file", `type ${found?.mime ?? "unknown"}`);
  }
  // One that is not referred to is swept away like an upload that was given up.
  const path = storageKey(companyId, "messages", randomUUID());
  const { size } = await storage.put(path, fetched.body, { contentType: found.mime });
  return { path, name: nameOf(fetched.pathname, found.ext), type: found.mime, size };
}

interface Fetched {
  readonly body: Buffer;
  readonly pathname: string;
}

/** Typebot keeps small pictures in the address itself. */
function dataOf(url: string): Fetched | undefined {
  const { maxFile } = integrationRules;
  const head = /^data:image\/[\w.+-]{1,40};base64,/u.exec(url)?.[0];
  if (head === undefined || url.length > maxFile * 2) {
    return undefined;
  }
  const body = Buffer.from(url.slice(head.length), "base64");
  return body.length > maxFile ? undefined : { body, pathname: "" };
}

async function fetchFile(
  url: string,
  { mayBePrivate, signal }: { readonly mayBePrivate: boolean; readonly signal: AbortSignal },
): Promise<Fetched> {
  const { body, url: found } = await fetchPublic(url, {
    accepts: /./u,
    maxBytes: integrationRules.maxFile,
    signal: AbortSignal.any([signal, AbortSignal.timeout(integrationRules.timeoutMs)]),
    mayBePrivate,
    headers: { "user-agent": "Prosa-Integrations/1", accept: "*/*" },
  }).catch((cause: unknown) => {
    throw new IntegrationError("no file", reasonOf(cause), { cause });
  });
  return { body, pathname: found.pathname };
}

function reasonOf(cause: unknown): string {
  const isOurs = cause instanceof Error && !("code" in cause) && /^(?:unusable|the body|too many)/u.test(cause.message);
  return isOurs ? cause.message : callFailure(cause);
}

function nameOf(pathname: string, ext: string): string {
  let last = "";
  try {
    last = decodeURIComponent(pathname.split("/").at(-1) ?? "");
  } catch {
    // Not every address is encoded as it should be.
  }
  const clean = last.replaceAll(/[^\p{L}\p{N} ._()-]/gu, "_").replace(/^\.+/u, "");
  const stem = clean.replace(/\.[^.]{1,5}$/u, "") || "arquivo";
  return shortFileName(`${stem}.${ext}`);
}

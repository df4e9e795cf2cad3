import { readFile } from "node:fs/promises";
import type { BodyOf, simulator } from "@prosa/contract";
import type { Content } from "@prosa/wa-sim";
import { AppError } from "#server/platform/ctx.ts";
import type { Upload } from "#server/platform/http/index.ts";
import { reach } from "./sim-line.ts";
import type { SimLine } from "./sim-line.ts";

type Said = BodyOf<typeof simulator.say>;
const OPUS = "audio/ogg; codecs=opus";
/** How long an unanswered call rings. */
const RING_MS = 15_000;

/** What the person does with one request, in order. Empty where there is nothing to do. */
export async function contentsOf(
  said: Pick<Said, "body"> & Partial<Said>,
  files: readonly Upload[],
): Promise<Content[]> {
  if (said.edit !== undefined) {
    return [{ edit: { id: said.edit, text: said.body } }];
  }
  if (said.revoke !== undefined) {
    return [{ revoke: said.revoke }];
  }
  if (said.react !== undefined) {
    return [{ reaction: { id: said.react, emoji: said.body } }];
  }
  if (files.length === 0) {
    return said.body === "" ? [] : [said.body];
  }
  return Promise.all(
    files.map(async (file, index) =>
      fileContent(
        { ...file, bytes: await readFile(file.path) },
        { voice: said.voice, caption: index === 0 ? said.body : "" },
      ),
    ),
  );
}

export interface SimFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** As a phone sends it: what it can show in place by its kind, everything else as a document. */
export function fileContent(
  { name, contentType, bytes }: SimFile,
  { voice = false, caption = "" }: { readonly voice?: boolean | undefined; readonly caption?: string } = {},
): Content {
  const words = caption === "" ? {} : { caption };
  const [family] = contentType.split("/", 1);
  if (family === "image" && /^image\/(jpeg|png|webp)$/.test(contentType)) {
    return { image: bytes, mimetype: contentType, ...words };
  }
  if (family === "video") {
    return { video: bytes, mimetype: contentType, ...words };
  }
  if (family === "audio") {
    return { audio: bytes, mimetype: contentType === "audio/ogg" ? OPUS : contentType, ptt: voice };
  }
  return { document: bytes, fileName: name, mimetype: contentType, ...words };
}

/** Does what the person wants, once the messages that it names are known to be of this conversation. */
export async function act(line: SimLine, number: string, said: Said, contents: readonly Content[]): Promise<void> {
  const named = said.edit ?? said.revoke ?? said.react;
  if (named !== undefined) {
    await checkNamed(line, number, named);
  }
  for (const content of contents) {
    await reach(() => line.client.call("personSends", { number, to: line.number, content }));
  }
}

async function checkNamed({ client, number: line }: SimLine, number: string, id: string): Promise<void> {
  const message = await reach(() => client.call("message", { number, id }));
  if (message?.from !== line) {
    throw new AppError("ERR_NO_MESSAGE_FOUND", { id });
  }
}

/** The owner's phone links this connection, by its QR or by its pairing code. Throws ERR_WAPP_NOT_INITIALIZED where it shows none. */
export async function link({ connection, number, client }: SimLine): Promise<void> {
  const { qrcode, pairing_code: code } = connection;
  if (qrcode === "" && code === "") {
    throw new AppError("ERR_WAPP_NOT_INITIALIZED");
  }
  try {
    await (qrcode === ""
      ? client.call("enterPairingCode", { number, code })
      : client.call("scan", { number, qr: qrcode }));
  } catch (error) {
    // Codes live for seconds: this one was shown a moment ago, the line already waits with the next.
    throw new AppError("ERR_WAPP_NOT_INITIALIZED", undefined, { cause: error });
  }
}

/** Lets the line ring; nobody there hangs up after a while. */
export async function callLine({ client, number: line }: SimLine, number: string): Promise<void> {
  const { id } = await reach(() => client.call("calls", { number, to: line }));
  setTimeout(() => void client.call("hangUp", { id }).catch(() => undefined), RING_MS).unref();
}

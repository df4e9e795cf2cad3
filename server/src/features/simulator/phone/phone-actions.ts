import type { BodyOf, simulator } from "@prosa/contract";
import type { Content } from "@prosa/wa-sim";
import { AppError } from "#server/platform/ctx.ts";
import { callNetwork } from "../simulator-line.ts";
import type { SimLine } from "../simulator-line.ts";
import type { SendBody } from "./message-content.ts";

/** How long an unanswered call rings. */
const RING_MS = 15_000;

/**
 * Sends contents from the customer's phone to the line. Throws ERR_NO_MESSAGE_FOUND if an edit, a deletion or a reaction
 * refers to a message of another conversation.
 */
export async function sendAsCustomer(
  line: SimLine,
  number: string,
  body: SendBody,
  contents: readonly Content[],
): Promise<void> {
  const targetId = body.edit ?? body.revoke ?? body.react;
  if (targetId !== undefined) {
    await requireMessage(line, number, targetId);
  }
  for (const content of contents) {
    await callNetwork(() => line.client.call("says", { number, to: line.number, content }));
  }
}

async function requireMessage({ client, number: line }: SimLine, number: string, id: string): Promise<void> {
  const message = await callNetwork(() => client.call("message", { number, id }));
  if (message?.from !== line) {
    throw new AppError("ERR_NO_MESSAGE_FOUND", { id });
  }
}

/** Links the connection to the owner's phone, by its QR or pairing code. Throws ERR_WAPP_NOT_INITIALIZED if it shows none. */
export async function linkPhone({ connection, number, client }: SimLine): Promise<void> {
  const { qrcode, pairing_code: code } = connection;
  if (qrcode === "" && code === "") {
    throw new AppError("ERR_WAPP_NOT_INITIALIZED");
  }
  try {
    await (qrcode === ""
      ? client.call("enterPairingCode", { number, code })
      : client.call("scan", { number, qr: qrcode }));
  } catch (error) {
    // Codes expire within seconds: this one may have been replaced since the connection was read.
    throw new AppError("ERR_WAPP_NOT_INITIALIZED", undefined, { cause: error });
  }
}

/** A cycle of the simulated cap: short enough to see its end. */
const CYCLE_MS = 24 * 3_600_000;

/** Limits how the line starts conversations, as WhatsApp does, or lifts the limits. */
export async function limitLine(
  { client, number }: SimLine,
  { kind, minutes, total, used }: BodyOf<typeof simulator.limit>,
): Promise<void> {
  await callNetwork(() => {
    switch (kind) {
      case "lock":
        return client.call("restrict", { number, seconds: minutes * 60 });
      case "cap":
        return client.call("capNewChats", { number, total, used, cycleEnds: Date.now() + CYCLE_MS });
      case "lift":
        return client.call("lift", { number });
    }
  });
}

/** Calls the line; hangs up after 15 s if nobody answers. */
export async function callLine({ client, number: line }: SimLine, number: string): Promise<void> {
  const { id } = await callNetwork(() => client.call("calls", { number, to: line }));
  setTimeout(() => void client.call("hangUp", { id }).catch(() => undefined), RING_MS).unref();
}

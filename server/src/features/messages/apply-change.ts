import { z } from "zod";
import type { Ctx } from "#server/platform/ctx.ts";
import type { PersonRef } from "#server/whatsapp/port.ts";
import {
  editMessageRow,
  findChangeTargets,
  keepWaiting,
  markDeleted,
  reactToMessage,
  takeWaiting,
} from "./changes.queries.ts";
import type { ChangeTarget } from "./changes.queries.ts";
import { messageUpdated } from "./messages.events.ts";

const person = z.object({ phone: z.string().nullable(), lid: z.string().nullable() });

/** Something that happened to a message on WhatsApp's side. Kept as JSON while its message has not come. */
const receivedChange = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("edit"),
    waId: z.string(),
    fromMe: z.boolean(),
    author: person.nullable(),
    text: z.string(),
    at: z.coerce.date(),
  }),
  z.object({ kind: z.literal("revoke"), waId: z.string(), fromMe: z.boolean(), at: z.coerce.date() }),
  z.object({
    kind: z.literal("reaction"),
    waId: z.string(),
    fromMe: z.boolean(),
    emoji: z.string(),
    sender: z.string(),
    senderName: z.string(),
    at: z.coerce.date(),
  }),
]);
export type ReceivedChange = z.output<typeof receivedChange>;

/** Applies changes in their order. One that came before its message, or while that is a stub, waits for it. */
export async function applyChanges(ctx: Ctx, connectionId: number, changes: readonly ReceivedChange[]): Promise<void> {
  const waIds = [...new Set(changes.map(({ waId }) => waId))];
  const targets = await findChangeTargets(ctx, connectionId, waIds);
  const targetOf = new Map(targets.map((target) => [`${target.waId} ${target.fromMe}`, target]));

  for (const change of changes) {
    const target = targetOf.get(`${change.waId} ${change.fromMe}`);
    if (target && !target.isStub) {
      await apply(ctx, target, change);
    } else {
      await keepWaiting(ctx, connectionId, change.waId, change);
    }
  }
}

/** Changes that were here before these messages. */
export async function applyWaiting(ctx: Ctx, connectionId: number, waIds: readonly string[]): Promise<void> {
  if (waIds.length === 0) {
    return;
  }
  const waiting = await takeWaiting(ctx, connectionId, waIds);
  if (waiting.length > 0) {
    await applyChanges(
      ctx,
      connectionId,
      waiting.map(({ change }) => receivedChange.parse(change)),
    );
  }
}

async function apply(ctx: Ctx, { id, ticketId, participant }: ChangeTarget, change: ReceivedChange): Promise<void> {
  if (change.kind === "edit" && isSomebodyElse(change.author, participant)) {
    return;
  }
  if (await written(ctx, id, change)) {
    ctx.emit(messageUpdated(ticketId, id));
  }
}

/** In a group everybody knows the ids of everybody's messages, and only the author may edit one. */
function isSomebodyElse(editor: PersonRef | null, author: PersonRef | null): boolean {
  const differ = (one?: string | null, other?: string | null) => !!one && !!other && one !== other;
  return differ(editor?.lid, author?.lid) || differ(editor?.phone, author?.phone);
}

function written(ctx: Ctx, id: number, change: ReceivedChange): Promise<boolean> {
  switch (change.kind) {
    case "edit":
      return editMessageRow(ctx, id, change.text, change.at);
    case "revoke":
      return markDeleted(ctx, id);
    case "reaction":
      return reactToMessage(ctx, id, change);
  }
}

import { randomUUID } from "node:crypto";
import { contactResolver, createIngest } from "#server/features/inbound/index.ts";
import { sendMessages, setMediaReady } from "#server/features/messages/index.ts";
import {
  acceptTicket,
  findTicket,
  markTicketRead,
  resolveTicket,
  returnTicket,
  setTags,
  transferTicket,
} from "#server/features/tickets/index.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import type { Actor, Ctx, UserActor } from "#server/platform/ctx.ts";
import type { Services } from "#server/platform/services.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import type { Content, LineEvent } from "#server/whatsapp/port.ts";
import { messageIdOf, ticketIdOf, waIdOf } from "./demo.queries.ts";
import type { DemoFile } from "./files.ts";
import type { Ending, QueueName, StepContent, Step, DemoConversation } from "./steps.ts";

/** The records that demo conversations use. */
export interface DemoRecords {
  readonly companyId: number;
  readonly connectionId: number;
  readonly admin: UserActor;
  readonly agents: Readonly<Record<string, UserActor>>;
  readonly queueIds: Readonly<Record<QueueName, number>>;
}

interface SeededMessage {
  readonly waId: string;
  readonly fromMe: boolean;
}

const states: Readonly<Record<Ending, readonly (1 | 2 | 4 | -1)[]>> = {
  sent: [1],
  delivered: [1, 2],
  read: [1, 2, 4],
  failed: [-1],
};

/**
 * Returns the function that seeds a conversation as it would have taken place: events of customers go through the inbound
 * pipeline, actions of agents through the services, each at its time.
 */
export function createConversationSeeder(services: Services, records: DemoRecords) {
  const { db, log, vault, storage } = services;
  const { companyId, connectionId, admin } = records;
  const ingest = createIngest({ vault, contacts: contactResolver, isSilent: true });
  const line: Actor = { kind: "line", companyId, connectionId };

  return async function seedConversation(conversation: DemoConversation, now: Date): Promise<void> {
    // WhatsApp's times are whole seconds.
    const clock = createMovedClock(new Date(Math.floor(now.getTime() / 1000) * 1000));
    const { days = 0, hours = 0, minutes = 0 } = conversation.ago;
    clock.advance({ days: -days, hours: -hours, minutes: -minutes });
    const messages: SeededMessage[] = [];
    let agent = admin;

    const within = <T>(actor: Actor, work: (ctx: Ctx) => Promise<T>) =>
      db.inCompany({ actor, companyId, log, clock }, work);
    const receive = (...events: LineEvent[]) => within(line, (ctx) => ingest(ctx, connectionId, events));
    const ticketId = () => within(admin, (ctx) => ticketIdOf(ctx, conversation.number));
    const chat = { kind: conversation.isGroup ? "group" : "phone", value: conversation.number } as const;
    const person = { phone: conversation.isGroup ? null : conversation.number, lid: null };
    const messageAt = (at: number): SeededMessage => {
      const found = messages.at(at);
      if (!found) {
        throw new Error(`${conversation.name} has no message ${at} yet`);
      }
      return found;
    };

    async function receiveMessage(says: StepContent, quotes: number | undefined, as: string | undefined) {
      const file = typeof says === "object" && "file" in says ? await says.file() : undefined;
      const waId = randomUUID().replaceAll("-", "").toUpperCase();
      await receive({
        type: "message",
        message: {
          waId,
          chat,
          person,
          fromMe: false,
          participant: as === undefined ? null : { phone: numberOf(as), lid: null, name: as },
          pushName: conversation.isGroup ? "" : conversation.name,
          at: clock.now(),
          isOffline: false,
          quotedWaId: quotes === undefined ? null : messageAt(quotes).waId,
          content: contentOf(says, file),
        },
      });
      messages.push({ waId, fromMe: false });
      if (file) {
        const stored = await store(file);
        const size = { width: null, height: null, thumbnail: null };
        await within(line, async (ctx) =>
          setMediaReady(ctx, await messageIdOf(ctx, waId), { ...stored, ...size, mimeType: file.mimeType }),
        );
      }
    }

    async function sendMessage({ says, ends = "read", quotes }: Extract<Step, { who: "us" }>) {
      const file = typeof says === "string" ? undefined : await says();
      const stored = file && { ...(await store(file)), width: null, height: null, thumbnail: null };
      const id = await ticketId();
      const waId = await within(agent, async (ctx) => {
        // An agent who replies has the conversation open, so it is read.
        await markTicketRead(ctx, await findTicket(ctx, id));
        const quotedId = quotes === undefined ? null : await messageIdOf(ctx, messageAt(quotes).waId);
        const media =
          file && stored
            ? { ...stored, fileName: file.name, mimeType: file.mimeType, seconds: file.seconds, isVoice: file.isVoice }
            : null;
        const mediaType = file ? (file.kind === "document" ? "application" : file.kind) : "chat";
        const body = typeof says === "string" ? says : "";
        const sent = await sendMessages(ctx, id, [{ mediaType, body, data: null, quotedId, file: media }]);
        return waIdOf(ctx, sent.ids[0] ?? 0);
      });
      for (const status of states[ends]) {
        await receive({ type: "status", waIds: [waId], status, reason: status === -1 ? "notConnected" : null });
      }
      messages.push({ waId, fromMe: true });
    }

    async function store(file: DemoFile) {
      const key = storageKey(companyId, "messages", randomUUID());
      const { size } = await storage.put(key, file.bytes, { contentType: file.mimeType });
      return { storageKey: key, size };
    }

    async function run(step: Step): Promise<void> {
      if ("who" in step) {
        return step.who === "them" ? receiveMessage(step.says, step.quotes, step.as) : sendMessage(step);
      }
      switch (step.does) {
        case "wait":
          clock.advance({ minutes: step.minutes });
          return;
        case "accept": {
          agent = records.agents[step.agent] ?? admin;
          const id = await ticketId();
          await within(agent, async (ctx) => {
            const ticket = await acceptTicket(ctx, id);
            await markTicketRead(ctx, ticket);
          });
          return;
        }
        case "read": {
          const id = await ticketId();
          await within(agent, async (ctx) => markTicketRead(ctx, await findTicket(ctx, id)));
          return;
        }
        case "queue": {
          const id = await ticketId();
          await within(admin, (ctx) => transferTicket(ctx, id, { queueId: records.queueIds[step.queue] }));
          return;
        }
        case "resolve":
        case "return": {
          const id = await ticketId();
          await within(agent, async (ctx) => {
            await markTicketRead(ctx, await findTicket(ctx, id));
            await (step.does === "resolve" ? resolveTicket(ctx, id) : returnTicket(ctx, id));
          });
          return;
        }
        case "edit":
          return receive({
            type: "edit",
            ...messageAt(step.at),
            chat,
            person,
            author: null,
            text: step.text,
            at: clock.now(),
          });
        case "revoke": {
          const { waId, fromMe } = messageAt(step.at);
          return receive({ type: "revoke", waId, fromMe, chat, person, by: null, byMe: fromMe, at: clock.now() });
        }
        case "react": {
          const { waId, fromMe } = messageAt(step.at);
          const sender = { ...person, name: conversation.name };
          const byMe = step.by === "us";
          const at = clock.now();
          const said = { type: "reaction", waId, targetFromMe: fromMe, chat, person } as const;
          return receive({ ...said, emoji: step.emoji, byMe, sender, at });
        }
        case "call": {
          const call = { callId: randomUUID(), person, pushName: conversation.name, isVideo: false, isGroup: false };
          return receive({ type: "call", ...call, state: step.state, at: clock.now() });
        }
      }
    }

    if (conversation.isGroup) {
      await receive({ type: "group", groupId: conversation.number, subject: conversation.name });
    }
    for (const [index, step] of conversation.steps.entries()) {
      await run(step);
      clock.advance({ seconds: 20 + ((conversation.number.length * 31 + index * 47) % 70) });
    }
    const { tags = [] } = conversation;
    if (tags.length > 0) {
      const id = await ticketId();
      const named = tags.map((name) => ({ name }));
      await within(admin, (ctx) => setTags(ctx, id, named));
    }
  };
}

function contentOf(says: StepContent, file: DemoFile | undefined): Content {
  if (typeof says === "string") {
    return { kind: "text", text: says };
  }
  if ("place" in says) {
    return { kind: "location", ...says.place };
  }
  if ("card" in says) {
    const { name, number } = says.card;
    const vcard = `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nTEL;type=CELL;waid=${number}:+${number}\nEND:VCARD`;
    return { kind: "contacts", cards: [{ name, vcard }] };
  }
  if (!file) {
    throw new Error("A file must be read before its message is seeded");
  }
  return {
    kind: file.kind,
    caption: says.caption ?? "",
    fileName: file.kind === "document" ? file.name : null,
    mimeType: file.mimeType,
    size: file.bytes.byteLength,
    width: file.kind === "image" ? 800 : file.kind === "sticker" ? 512 : null,
    height: file.kind === "image" ? 600 : file.kind === "sticker" ? 512 : null,
    seconds: file.seconds,
    isVoice: file.isVoice,
    thumbnail: null,
    source: {},
  };
}

/** A stable number for a member of a group. */
function numberOf(name: string): string {
  const sum = [...name].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 9_000_000, 7);
  return `551198${String(1_000_001 + sum).padStart(7, "0")}`;
}

import { z } from "zod";
import { booleanText, id, idParams, instant, nothing } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** A simulated contact of a simulator line (W-07). */
export const simPerson = z.object({
  number: z.string(),
  name: z.string(),
  lastText: z.string(),
  lastAt: instant.nullable(),
  unread: z.number().int(),
});
export const simMessage = z.object({
  id: z.string(),
  fromMe: z.boolean(),
  kind: z.enum(["text", "image", "audio", "video", "document", "sticker", "location", "contact", "call"]),
  text: z.string(),
  mediaUrl: z.string().nullable(),
  fileName: z.string().nullable(),
  at: instant,
  ack: z.number().int(),
  edited: z.boolean(),
  deleted: z.boolean(),
  reaction: z.string(),
});
export type SimMessage = z.output<typeof simMessage>;

const simMember = z.object({ number: z.string(), name: z.string() });
export const simGroup = z.object({
  id: z.string(),
  name: z.string(),
  members: z.array(simMember),
  lastText: z.string(),
  lastAt: instant.nullable(),
});
export type SimGroup = z.output<typeof simGroup>;
/** A group message; without an author it is from the line. */
export const simGroupMessage = simMessage.extend({ author: simMember.nullable() });

const personParams = z.object({ id, number: z.string().regex(/^\d{8,15}$/) });
const groupParams = z.object({ id, group: z.string().regex(/^\d{8,15}(-\d{8,12})?$|^\d{16,25}$/) });
const simulatorAccess = { who: "session", rule: "connections-page:actionButtons" } as const;

export const simulator = {
  people: endpoint({
    method: "GET",
    path: "/simulator/:id/people",
    summary: "The line's phone and the people who can write to it",
    access: simulatorAccess,
    params: idParams,
    response: z.object({
      phone: z.object({
        number: z.string(),
        linked: z.boolean(),
        /** What the simulated WhatsApp limits the line to; null: nothing is known. */
        limits: z
          .object({
            lockedUntil: instant.nullable(),
            /** New chats of this cycle; null: no cap. */
            cap: z.object({ used: z.number().int(), total: z.number().int() }).nullable(),
          })
          .nullable(),
      }),
      people: z.array(simPerson),
      groups: z.array(simGroup),
      /** Whether scripted customers write and answer by themselves. */
      lively: z.boolean(),
    }),
  }),
  addPerson: endpoint({
    method: "POST",
    path: "/simulator/:id/people",
    summary: "Add a person",
    access: simulatorAccess,
    params: idParams,
    body: z.object({
      name: z.string().trim().min(2).max(50),
      number: z
        .string()
        .regex(/^\d{8,15}$/)
        .optional(),
    }),
    response: simPerson,
  }),
  chat: endpoint({
    method: "GET",
    path: "/simulator/:id/people/:number/messages",
    summary: "What this person sees",
    access: simulatorAccess,
    params: personParams,
    response: z.array(simMessage),
  }),
  say: endpoint({
    method: "POST",
    path: "/simulator/:id/people/:number/messages",
    summary: "Write, or send a file, as this person",
    access: simulatorAccess,
    params: personParams,
    body: z.object({
      body: z.string().max(4096).default(""),
      voice: booleanText.optional(),
      edit: z.string().max(100).optional(),
      revoke: z.string().max(100).optional(),
      react: z.string().max(100).optional(),
    }),
    files: { field: "medias", max: 10 },
    response: nothing,
  }),
  read: endpoint({
    method: "POST",
    path: "/simulator/:id/people/:number/read",
    summary: "The person looks at the chat: read receipts go out",
    access: simulatorAccess,
    params: personParams,
    response: nothing,
  }),
  picture: endpoint({
    method: "POST",
    path: "/simulator/:id/people/:number/picture",
    summary: "Give this person a profile picture",
    access: simulatorAccess,
    params: personParams,
    body: z.object({}),
    files: { field: "file", max: 1, required: true },
    response: nothing,
  }),
  addGroup: endpoint({
    method: "POST",
    path: "/simulator/:id/groups",
    summary: "Make a group of people of this line and the line itself",
    access: simulatorAccess,
    params: idParams,
    body: z.object({
      name: z.string().trim().min(2).max(50),
      numbers: z
        .array(z.string().regex(/^\d{8,15}$/))
        .min(1)
        .max(50),
    }),
    response: simGroup,
  }),
  groupChat: endpoint({
    method: "GET",
    path: "/simulator/:id/groups/:group/messages",
    summary: "What the members of this group see",
    access: simulatorAccess,
    params: groupParams,
    response: z.array(simGroupMessage),
  }),
  groupSay: endpoint({
    method: "POST",
    path: "/simulator/:id/groups/:group/messages",
    summary: "Write, or send a file, in the group as one of its members",
    access: simulatorAccess,
    params: groupParams,
    body: z.object({ number: z.string().regex(/^\d{8,15}$/), body: z.string().max(4096).default("") }),
    files: { field: "medias", max: 10 },
    response: nothing,
  }),
  scan: endpoint({
    method: "POST",
    path: "/simulator/:id/scan",
    summary: "Scan the QR shown by this connection with the line's phone",
    access: simulatorAccess,
    params: idParams,
    response: nothing,
  }),
  fault: endpoint({
    method: "POST",
    path: "/simulator/:id/fault",
    summary: "Inject a fault into the line, or place a call",
    access: simulatorAccess,
    params: idParams,
    body: z.object({ kind: z.enum(["drop", "silence", "loggedOut", "call"]), number: z.string().optional() }),
    response: nothing,
  }),
  limit: endpoint({
    method: "POST",
    path: "/simulator/:id/limit",
    summary: "Limit how the line starts conversations, as WhatsApp does, or lift the limits (P-04)",
    access: simulatorAccess,
    params: idParams,
    body: z.object({
      /** `lock`: no new chats for `minutes`; `cap`: no more than `total` of them, `used` so far; `lift`: neither. */
      kind: z.enum(["lock", "cap", "lift"]),
      minutes: z.coerce.number().int().min(1).max(10_080).default(30),
      total: z.coerce.number().int().min(1).max(100_000).default(100),
      used: z.coerce.number().int().min(0).max(100_000).default(0),
    }),
    response: nothing,
  }),
  lively: endpoint({
    method: "PUT",
    path: "/simulator/:id/lively",
    summary: "Turn scripted customers on or off",
    access: simulatorAccess,
    params: idParams,
    body: z.object({ lively: z.boolean() }),
    response: z.object({ lively: z.boolean() }),
  }),
} as const;

import type { Call, Withheld } from "../delivery/index.ts";
import type { Content, MessageView } from "../messages/index.ts";
import type { Addressing, CapLevel, DeviceView, Faults, Group, Kick, LimitsView, Stats } from "../network/index.ts";
import { Person } from "../people/index.ts";
import type { HistoryMessage, Phone } from "../people/index.ts";
import type { Refusal, WaSim } from "../sim.ts";

export interface PhoneView {
  number: string;
  lid: string;
  name: string;
  devices: DeviceView[];
  limits: LimitsView;
}

export interface PersonView {
  number: string;
  lid: string;
  name: string;
  addressing: Addressing;
  autoReceipts: Person["autoReceipts"];
}

export interface ChatView {
  number: string;
  name: string;
  last: MessageView;
  unread: number;
}

export interface GroupView {
  id: string;
  subject: string;
  members: { number: string; name: string }[];
  last: MessageView | null;
}

/** `author` is null for messages of the line. */
export interface GroupMessageView {
  author: string | null;
  message: MessageView;
}

/** Filter of received messages: every given field must be equal. */
export interface MessageFilter {
  id?: string;
  text?: string;
  from?: string;
  kind?: MessageView["content"]["kind"];
  quoted?: string;
}

export interface SendInput {
  number: string;
  /** Number of a line, or the id of a group. */
  to: string;
  content: Content;
  id?: string;
}

/** Faults as plain data; `muteIq` as a list. */
export type FaultSettings = Partial<Omit<Faults, "clear" | "muteIq" | "ackError">> & {
  muteIq?: string[];
  ackError?: number | null;
};

const calls = new WeakMap<WaSim, Map<string, Call>>();

/**
 * The verbs of the control API; the client's types are derived from this table. Do not rename a verb: a server of the next
 * release may use the process of this one (decision 0032).
 */
export const verbs = {
  addresses: (sim: WaSim) => ({
    wsUrl: sim.wsUrl,
    mediaOrigin: sim.mediaOrigin,
    caFile: sim.caFile,
    rootPublicKey: sim.rootPublicKey.toString("base64"),
  }),

  phone: (sim: WaSim, input: { number: string; name?: string }): PhoneView =>
    viewPhone(sim.phone(input.number, pick(input, "name"))),
  phones: (sim: WaSim): PhoneView[] => sim.phones().map(viewPhone),
  scan: async (sim: WaSim, input: { number: string; qr: string }): Promise<{ device: number }> => {
    const companion = await sim.phone(input.number).scan(input.qr);
    return { device: companion.record.device };
  },
  enterPairingCode: async (sim: WaSim, input: { number: string; code: string }): Promise<{ device: number }> => {
    const companion = await sim.phone(input.number).enterPairingCode(input.code);
    return { device: companion.record.device };
  },
  sends: (sim: WaSim, input: SendInput): Promise<{ id: string }> =>
    sim.phone(input.number).sends(input.to, input.content, pick(input, "id")),
  /** The owner reads a person's chat on the phone. `isSilent`: without read receipts. */
  readsOnPhone: (sim: WaSim, input: { number: string; from: string; ids: string[]; isSilent?: boolean }): void => {
    sim.phone(input.number).reads(sim.person(input.from), input.ids, pick(input, "isSilent"));
  },
  notes: (sim: WaSim, input: { number: string; text: string }): Promise<{ id: string }> =>
    sim.phone(input.number).notes(input.text),
  unlink: (sim: WaSim, input: { number: string; device?: number }): void => {
    sim.phone(input.number).unlink(input.device);
  },
  kick: (sim: WaSim, input: { number: string; how: Kick; device?: number }): void => {
    sim.phone(input.number).kick(input.how, input.device);
  },
  /** The next logins of the line are refused with this code; null ends it. */
  refuseLogin: (sim: WaSim, input: { number: string; code: number | null }): void => {
    sim.phone(input.number).loginFailure = input.code ?? undefined;
  },
  /** The line's account may not start conversations until then, or for so long; without both, for a minute. */
  restrict: (sim: WaSim, input: { number: string; until?: number; seconds?: number; type?: string }): void => {
    const until = input.until ?? (input.seconds === undefined ? undefined : sim.now() + input.seconds * 1_000);
    sim.phone(input.number).limits.restrict({ ...pick(input, "type"), ...(until !== undefined && { until }) });
  },
  /** The line's account may start so many conversations in a cycle. */
  capNewChats: (
    sim: WaSim,
    input: { number: string; total: number; used?: number; level?: CapLevel; cycleEnds?: number },
  ): void => {
    const { number, ...cap } = input;
    sim.phone(number).limits.capNewChats(cap);
  },
  /** Takes both limits away. */
  lift: (sim: WaSim, input: { number: string }): void => {
    sim.phone(input.number).limits.lift();
  },
  settled: (sim: WaSim, input: { number: string; timeoutMs?: number }): Promise<void> =>
    sim.settled(input.number, pick(input, "timeoutMs")),

  person: (sim: WaSim, input: { number: string; name?: string; lid?: string; addressing?: Addressing }): PersonView =>
    viewPerson(sim.person(input.number, pick(input, "name", "lid", "addressing"))),
  persons: (sim: WaSim): PersonView[] => sim.persons().map(viewPerson),
  says: (sim: WaSim, input: SendInput): Promise<{ id: string }> => sendAsPerson(sim, input),
  /** A message whose content is withheld from linked devices. */
  withholds: (
    sim: WaSim,
    input: { number: string; to: string; what: Withheld; id?: string; ageSeconds?: number },
  ): { id: string } => sim.person(input.number).withholds(input.to, input.what, pick(input, "id", "ageSeconds")),
  /** Sends many messages; those of one person in the given order. */
  saysAll: async (sim: WaSim, input: { messages: SendInput[] }): Promise<{ ids: string[] }> => {
    const sent = await Promise.all(input.messages.map((message) => sendAsPerson(sim, message)));
    return { ids: sent.map(({ id }) => id) };
  },
  remembers: (
    sim: WaSim,
    input: { number: string; line: string; past: HistoryMessage[]; group?: string },
  ): Promise<void> =>
    sim
      .person(input.number)
      .importHistory(input.line, input.past, input.group === undefined ? undefined : sim.findGroup(input.group)),
  /** Chats of this line: the last message and the person's unread count. */
  chats: (sim: WaSim, input: { line: string }): ChatView[] =>
    sim.persons().flatMap((person) => viewChat(person, input)),
  message: (sim: WaSim, input: { number: string; id: string }): MessageView | null =>
    sim.person(input.number).message(input.id) ?? null,
  inbox: (sim: WaSim, input: { number: string; from?: string }): MessageView[] =>
    sim.person(input.number).inbox(input.from),
  chat: (sim: WaSim, input: { number: string; line?: string }): MessageView[] =>
    sim.person(input.number).chat(input.line),
  receives: (sim: WaSim, input: { number: string; wanted: MessageFilter; timeoutMs?: number }): Promise<MessageView> =>
    sim.person(input.number).receives((message) => matches(message, input.wanted), pick(input, "timeoutMs")),
  download: (sim: WaSim, input: { number: string; id: string }): { bytes: Uint8Array } => ({
    bytes: sim.person(input.number).download(input.id),
  }),
  reads: (sim: WaSim, input: { number: string; from: string; ids?: string[] }): Promise<void> =>
    sim.person(input.number).reads(input.from, input.ids),
  plays: (sim: WaSim, input: { number: string; ids: string[] }): Promise<void> =>
    sim.person(input.number).plays(input.ids),
  types: (sim: WaSim, input: { number: string; to: string; isTyping?: boolean }): Promise<void> =>
    sim.person(input.number).types(input.to, input.isTyping),
  autoReceipts: (sim: WaSim, input: { number: string; value: Person["autoReceipts"] }): void => {
    sim.person(input.number).autoReceipts = input.value;
  },
  /** The person blocks the line: its messages are acknowledged and never delivered. */
  block: (sim: WaSim, input: { number: string; line: string; value?: boolean }): void => {
    sim.person(input.number).block(sim.phone(input.line).number, input.value);
  },
  /** Of a person, or of a group by its id; null removes the picture. */
  showPicture: (sim: WaSim, input: { number: string; bytes: Uint8Array | null }): void => {
    (sim.findGroup(input.number) ?? sim.person(input.number)).setPicture(input.bytes);
  },
  hidePicture: (sim: WaSim, input: { number: string; value: boolean }): void => {
    sim.person(input.number).isPictureHidden = input.value;
  },
  calls: async (sim: WaSim, input: { number: string; to: string; video?: boolean }): Promise<{ id: string }> => {
    const call = await sim.person(input.number).calls(input.to, pick(input, "video"));
    calls.set(sim, (calls.get(sim) ?? new Map<string, Call>()).set(call.id, call));
    return { id: call.id };
  },
  /** Waits until the line rejects the call. */
  rejected: (sim: WaSim, input: { id: string }): Promise<void> => findCall(sim, input.id).rejected,
  hangUp: (sim: WaSim, input: { id: string }): void => {
    findCall(sim, input.id).hangUp();
  },

  group: (
    sim: WaSim,
    input: { subject: string; members: string[]; line: string; id?: string },
  ): { id: string; jid: string } => {
    const members = input.members.map((number) => sim.person(number));
    const group = sim.group({ subject: input.subject, members, line: input.line, ...pick(input, "id") });
    return { id: group.record.id, jid: group.jid };
  },
  /** The groups that a line is in. */
  groups: (sim: WaSim, input: { line: string }): GroupView[] =>
    sim
      .groups()
      .flatMap((group) => (group.lines.some(({ number }) => number === input.line) ? [viewGroup(group)] : [])),
  /** Messages of a group, each once, oldest first. */
  groupChat: (sim: WaSim, input: { id: string }): GroupMessageView[] => groupChat(sim.findGroup(input.id)),

  /** Sets the given faults and returns all. */
  faults: (sim: WaSim, input: FaultSettings): FaultSettings => {
    const { muteIq, ackError, ...flags } = input;
    Object.assign(sim.faults, flags);
    if (muteIq) {
      sim.faults.muteIq = new Set(muteIq);
    }
    if (ackError !== undefined) {
      sim.faults.ackError = ackError ?? undefined;
    }
    return { ...sim.faults, muteIq: [...sim.faults.muteIq], ackError: sim.faults.ackError ?? null };
  },
  clearFaults: (sim: WaSim): void => {
    sim.faults.clear();
    sim.refuseConnections = false;
  },
  refuseConnections: (sim: WaSim, input: { value: Refusal }): void => {
    sim.refuseConnections = input.value;
  },
  stats: (sim: WaSim): Stats & { unknownStanzas: number } => ({
    ...sim.stats,
    unknownStanzas: sim.unknownStanzas.length,
  }),
};

export type Verbs = typeof verbs;
export type Verb = keyof Verbs;
export type Input<V extends Verb> = Parameters<Verbs[V]> extends [WaSim, infer I] ? I : Record<never, never>;
export type Output<V extends Verb> = Awaited<ReturnType<Verbs[V]>>;

export const isVerb = (name: string): name is Verb => Object.hasOwn(verbs, name);

async function sendAsPerson(sim: WaSim, { number, to, content, id }: SendInput): Promise<{ id: string }> {
  const sent = await sim.person(number).sends(sim.findGroup(to) ?? to, content, id === undefined ? {} : { id });
  return { id: sent.id };
}

function matches(message: MessageView, wanted: MessageFilter): boolean {
  return (
    (wanted.id === undefined || message.id === wanted.id) &&
    (wanted.text === undefined || message.text === wanted.text) &&
    (wanted.from === undefined || message.from === wanted.from) &&
    (wanted.kind === undefined || message.content.kind === wanted.kind) &&
    (wanted.quoted === undefined || message.quoted === wanted.quoted)
  );
}

function findCall(sim: WaSim, id: string): Call {
  const call = calls.get(sim)?.get(id);
  if (!call) {
    throw new Error(`no call ${id}`);
  }
  return call;
}

const viewPhone = (phone: Phone): PhoneView => ({
  number: phone.number,
  lid: phone.lid,
  name: phone.name,
  devices: phone.devices(),
  limits: phone.limits.view(),
});

const viewPerson = ({ number, lid, name, addressing, autoReceipts }: Person): PersonView => ({
  number,
  lid,
  name,
  addressing,
  autoReceipts,
});

function viewChat(person: Person, { line }: { line: string }): ChatView[] {
  const messages = person.chat(line).filter(({ group }) => group === undefined);
  const last = messages.at(-1);
  const unread = messages.filter(({ isOwn, status }) => !isOwn && status === "delivered").length;
  return last ? [{ number: person.number, name: person.name, last, unread }] : [];
}

function viewGroup(group: Group): GroupView {
  const members = personsOf(group).map(({ number, name }) => ({ number, name }));
  return { id: group.record.id, subject: group.subject, members, last: groupChat(group).at(-1)?.message ?? null };
}

/** Merges the chats of all members; the author's own copy has the author and the status. */
function groupChat(group: Group | undefined): GroupMessageView[] {
  const byId = new Map<string, GroupMessageView>();
  for (const person of group ? personsOf(group) : []) {
    for (const message of person.chat().filter((one) => one.group === group?.jid)) {
      if (message.isOwn || !byId.has(message.id)) {
        byId.set(message.id, { author: message.isOwn ? person.number : null, message });
      }
    }
  }
  return [...byId.values()].sort((a, b) => a.message.at - b.message.at);
}

const personsOf = (group: Group): Person[] => group.members.filter((member) => member instanceof Person);

/** The named fields that are set: exactOptionalPropertyTypes distinguishes absent from undefined. */
function pick<T extends object, K extends keyof T>(from: T, ...names: K[]): Pick<T, K> {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]])) as Pick<
    T,
    K
  >;
}

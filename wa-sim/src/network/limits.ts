import { node, SERVER } from "../protocol/index.ts";
import type { Companion } from "./companion.ts";
import type { Context } from "./context.ts";

/** A lock whose end is not announced: WhatsApp Web takes it for one of this length. */
const LOCK_MS = 60_000;

export type CapLevel = "NONE" | "FIRST_WARNING" | "SECOND_WARNING" | "CAPPED";
/** The shares of the allowance at which WhatsApp warns. */
const shares: readonly [CapLevel, number][] = [
  ["CAPPED", 1],
  ["SECOND_WARNING", 0.95],
  ["FIRST_WARNING", 0.8],
];

interface TimeLock {
  /** Milliseconds since 1970. */
  until: number;
  isEndAnnounced: boolean;
  type: string;
}

interface Cap {
  total: number;
  /** New chats of the cycle before the script set the cap. */
  used: number;
  /** Whom the line has written to first since. */
  people: string[];
  /** Milliseconds since 1970; without it the cycle has no end. */
  cycleEnds?: number;
}

export interface LimitsRecord {
  lock?: TimeLock;
  cap?: Cap;
}

export interface LimitsView {
  /** End of the time lock (ms since 1970); null: none. */
  lockedUntil: number | null;
  cap: { total: number; used: number; level: CapLevel; cycleEnds: number | null } | null;
}

/** What a line's account may not do: start conversations for a while, or more than so many in a cycle. */
export class Limits {
  readonly #context: Context;
  readonly #number: string;
  readonly #companions: () => readonly Companion[];
  #record: LimitsRecord = {};

  constructor(context: Context, number: string, companions: () => readonly Companion[]) {
    this.#context = context;
    this.#number = number;
    this.#companions = companions;
  }

  restore(record: LimitsRecord): void {
    this.#record = record;
  }

  /** Locks new chats until then (ms since 1970), and announces it. Without an end the announcement has none either. */
  restrict({ until, type = "BIZ_QUALITY" }: { until?: number; type?: string }): void {
    const isEndAnnounced = until !== undefined;
    this.#save({ ...this.#record, lock: { until: until ?? this.#context.clock() + LOCK_MS, isEndAnnounced, type } });
    this.#announceLock();
  }

  /** Limits the new chats of a cycle, and announces it. `level` sets how many are used, where `used` does not. */
  capNewChats(cap: { total: number; used?: number; level?: CapLevel; cycleEnds?: number }): void {
    const share = shares.find(([level]) => level === cap.level)?.[1] ?? 0;
    const { total, used = Math.ceil(total * share), cycleEnds } = cap;
    this.#save({
      ...this.#record,
      cap: { total, used, people: [], ...(cycleEnds !== undefined && { cycleEnds }) },
    });
    this.#announceCap();
  }

  /** Takes both limits away, and announces it. */
  lift(): void {
    const { lock, cap } = this.#record;
    this.#save({});
    if (lock) {
      this.#announceLock();
    }
    if (cap) {
      this.#announceCap();
    }
  }

  view(): LimitsView {
    const cap = this.#cap;
    return {
      lockedUntil: this.#lock?.until ?? null,
      cap: cap ? { total: cap.total, used: usedOf(cap), level: levelOf(cap), cycleEnds: cap.cycleEnds ?? null } : null,
    };
  }

  /** Whether a message to this person is refused with 463. `hasWritten`: they wrote to the line before. */
  refuses(person: string, { hasWritten, hasChat }: { hasWritten: boolean; hasChat: boolean }): boolean {
    if (this.#lock && !hasWritten) {
      return true;
    }
    const cap = this.#cap;
    return cap !== undefined && levelOf(cap) === "CAPPED" && this.#isNewChat(cap, person, hasChat);
  }

  /** Counts a new chat that was let through; announces a level that it reaches. */
  countChat(person: string, { hasChat }: { hasChat: boolean }): void {
    const cap = this.#cap;
    if (!cap || !this.#isNewChat(cap, person, hasChat)) {
      return;
    }
    const next = { ...cap, people: [...cap.people, person] };
    this.#save({ ...this.#record, cap: next });
    if (levelOf(next) !== levelOf(cap)) {
      this.#announceCap();
    }
  }

  /** The answer to the query about the time lock. */
  lockData(): object {
    const lock = this.#lock;
    return lock
      ? {
          is_active: true,
          ...(lock.isEndAnnounced && { time_enforcement_ends: seconds(lock.until) }),
          enforcement_type: lock.type,
        }
      : { is_active: false };
  }

  /** The answer to the query about the cap. */
  capData(): object {
    const cap = this.#cap;
    return cap
      ? {
          total_quota: cap.total,
          used_quota: usedOf(cap),
          ...(cap.cycleEnds !== undefined && { cycle_end_timestamp: seconds(cap.cycleEnds) }),
          server_sent_timestamp: seconds(this.#context.clock()),
          capping_status: levelOf(cap),
        }
      : { capping_status: "NONE" };
  }

  /** What has ended is over without an announcement, as clients expect. */
  get #lock(): TimeLock | undefined {
    const { lock } = this.#record;
    return lock && lock.until > this.#context.clock() ? lock : undefined;
  }

  get #cap(): Cap | undefined {
    const { cap } = this.#record;
    return cap && (cap.cycleEnds === undefined || cap.cycleEnds > this.#context.clock()) ? cap : undefined;
  }

  #isNewChat({ people }: Cap, person: string, hasChat: boolean): boolean {
    return !hasChat && !people.includes(person);
  }

  #announceLock(): void {
    this.#announce("NotificationUserReachoutTimelockUpdate", {
      xwa2_notify_account_reachout_timelock: this.lockData(),
    });
  }

  #announceCap(): void {
    this.#announce("MessageCappingInfoNotification", {
      xwa2_notify_new_chat_messages_capping_info_update: this.capData(),
    });
  }

  #announce(name: string, data: object): void {
    this.announceJson(name, JSON.stringify({ data }));
  }

  /** Announces any text, so that tests can send garbage. */
  announceJson(name: string, json: string): void {
    const id = this.#context.newId("N");
    const attrs = { type: "mex", from: SERVER, id, t: this.#context.seconds() };
    const update = node("update", { op_name: name }, Buffer.from(json));
    for (const companion of this.#companions()) {
      companion.enqueue({ key: `notification:${id}`, node: node("notification", attrs, [update]) });
    }
    this.#context.journal.flush();
  }

  #save(record: LimitsRecord): void {
    this.#record = record;
    this.#context.journal.put(`limits/${this.#number}`, record);
  }
}

const seconds = (ms: number): string => String(Math.ceil(ms / 1_000));

const usedOf = ({ used, people }: Cap): number => used + people.length;

function levelOf(cap: Cap): CapLevel {
  const share = cap.total > 0 ? usedOf(cap) / cap.total : 1;
  return shares.find(([, from]) => share >= from)?.[0] ?? "NONE";
}

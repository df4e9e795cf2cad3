import { ZodError } from "zod";
import type { JournalEntry, LineAlarm, LineEvent, LineHost, LineState } from "#server/whatsapp/port.ts";
import { LeaseLostError } from "#server/whatsapp/port.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { CompanyScope } from "#server/platform/db/index.ts";
import type { Services } from "#server/platform/services.ts";
import { changeState } from "../connections.state.ts";
import { holdLease } from "../leases/index.ts";
import { insertLineLogEntries } from "../history/index.ts";
import type { LineLogEntry } from "../history/index.ts";
import { createQuarantine } from "./quarantine.ts";
import {
  credsContext,
  deleteCredentials,
  deleteKeys,
  findCreds,
  findKeys,
  findSentPayload,
  findStoredMessages,
  insertSentPayloads,
  keyContext,
  saveCreds,
  upsertKeys,
} from "./line-store.queries.ts";

/** Takes in what a line received, in the transaction that also saves the keys that moved for it. */
export type Ingest = (ctx: Ctx, connectionId: number, events: readonly LineEvent[]) => Promise<void>;

/** Told that a contact is typing; nothing is stored. */
export type TypingListener = (
  companyId: number,
  connectionId: number,
  ...typing: Parameters<LineHost["onTyping"]>
) => void;

export interface DriverHostOptions {
  readonly services: Services;
  readonly companyId: number;
  readonly connectionId: number;
  /** Credentials of another round are to be forgotten. */
  readonly round: number;
  /** The process, as its leases name it. */
  readonly owner: string;
  readonly ingest: Ingest;
  readonly onTyping: TypingListener;
  /** Told each state before it is written. */
  readonly onStateChange: (state: LineState) => void;
  /** The line ended for a reason, and will not try again by itself. */
  readonly onEnded: () => void;
  readonly onLeaseLost: () => void;
}

export interface DriverHost extends LineHost {
  /** Resolves when the last state and note are written. */
  flushed(): Promise<void>;
  /** The state that the row has had from us for so long; undefined while another is being written. */
  writtenState(): { readonly status: LineState["status"]; readonly forMs: number } | undefined;
  /** Writes the state again: somebody else has changed the row. */
  rewriteState(): void;
}

const ALARM_TEXTS: Readonly<Record<LineAlarm, string>> = {
  order: "a message was raised without a frame in work",
  stuck: "a message was stuck between its decryption and its event",
  poison: "an event could not be taken in",
  commit: "what it received cannot be stored",
};

/** What the product offers to a line's driver: its rows of this company, behind the fence of the lease. */
export function createDriverHost(parts: DriverHostOptions): DriverHost {
  const { services, companyId, connectionId, round, owner, ingest } = parts;
  const { db, vault, clock, metrics } = services;
  const log = services.log.child({ company: companyId, connection: connectionId });
  const scope: CompanyScope = { actor: { kind: "line", companyId, connectionId }, companyId, log, clock };

  /** A transaction that another process's take-over makes fail. */
  async function inFencedTransaction(work: (ctx: Ctx) => Promise<void>): Promise<void> {
    await db.inCompany(scope, async (ctx) => {
      const [isHeld, done] = await Promise.allSettled([holdLease(ctx, connectionId, owner), work(ctx)]);
      // Asked first: of a connection that was deleted the work fails as well, each time it is tried again.
      if (isHeld.status === "fulfilled" && !isHeld.value) {
        throw new LeaseLostError(`Line ${connectionId} belongs to another process`);
      }
      const failed = [done, isHeld].find((each) => each.status === "rejected");
      if (failed) {
        throw failed.reason;
      }
    });
  }

  const forget = () => inFencedTransaction((ctx) => deleteCredentials(ctx, connectionId));

  async function storeEntries(ctx: Ctx, entries: readonly JournalEntry[]): Promise<void> {
    const { keys, creds, sent, events } = groupEntries(entries);
    const written = [...keys].map(([, write]) => write);
    // Pipelined: one after the other on the wire, none waits for the answer to the one before.
    await Promise.all([
      upsertKeys(
        ctx,
        connectionId,
        written.flatMap(({ type, id, value }) =>
          value === null ? [] : [{ kind: type, id, value: vault.seal(value, keyContext(connectionId, type, id)) }],
        ),
      ),
      deleteKeys(
        ctx,
        connectionId,
        written.flatMap(({ type, id, value }) => (value === null ? [{ kind: type, id }] : [])),
      ),
      creds === null ? undefined : saveCreds(ctx, connectionId, vault.seal(creds, credsContext(connectionId)), round),
      insertSentPayloads(ctx, connectionId, sent),
      events.length === 0 ? undefined : ingest(ctx, connectionId, events),
    ]);
  }

  const quarantine = createQuarantine({
    commit: (entries) => inFencedTransaction((ctx) => storeEntries(ctx, entries)),
    dryRun: (event) => dryRun((undo) => inFencedTransaction((ctx) => ingest(ctx, connectionId, [event]).then(undo))),
    isDataError: isDataError,
    onPoison: (event, error) => raiseAlarm("poison", error, `a ${event.type} could not be taken in`),
  });

  const stateWriter = createStateWriter({
    write: (state, notes) =>
      inFencedTransaction(async (ctx) => {
        if (notes.length > 0) {
          await insertLineLogEntries(ctx, connectionId, notes);
        }
        if (state) {
          await changeState(ctx, connectionId, state.state, state.retries);
        }
      }),
    onFailure(error) {
      if (error instanceof LeaseLostError) {
        parts.onLeaseLost();
      } else {
        log.warn({ err: error }, "the state of a line could not be written");
      }
    },
  });
  let retries = 0;

  function raiseAlarm(alarm: LineAlarm, error: unknown, detail: string): void {
    metrics.lineAlarms.inc({ alarm });
    log.error({ err: error, alarm }, `alarm of a line: ${detail}`);
    // A store that is away would be filled with its own absence when it is back.
    if (alarm !== "commit") {
      stateWriter.note({ event: "alarm", detail, at: clock.now() });
    }
  }

  return {
    connectionId,
    log,
    clock,
    async loadCreds() {
      const saved = await findCreds(db, companyId, connectionId);
      if (saved && saved.round !== round) {
        await forget();
        return null;
      }
      return saved ? vault.open(saved.value, credsContext(connectionId)).toString("utf8") : null;
    },
    async loadKeys(type, ids) {
      const rows = await findKeys(db, companyId, connectionId, type, ids);
      return new Map(
        rows.map(({ id, value }) => [id, vault.open(value, keyContext(connectionId, type, id)).toString("utf8")]),
      );
    },
    async commit(entries) {
      await quarantine.commit(entries);
      const isReceived = (entry: JournalEntry) =>
        entry.kind === "event" && entry.event.type === "message" && !entry.event.message.fromMe;
      metrics.messages.inc({ direction: "in" }, entries.filter(isReceived).length);
    },
    forget,
    async findSentPayload(waId) {
      const payload = await findSentPayload(db, companyId, connectionId, waId);
      return payload ?? null;
    },
    findStored: (messages) => findStoredMessages(db, companyId, connectionId, messages),
    onState(state) {
      parts.onStateChange(state);
      retries = state.status === "CONNECTED" ? 0 : retries + (state.status === "OPENING" ? 1 : 0);
      stateWriter.state({ state, retries });
      if (state.status === "DISCONNECTED") {
        stateWriter.note({ event: "stopped", detail: `${state.reason} ${state.detail}`.trim(), at: clock.now() });
        // A line that waits for a decision about its number still has its phone: it is let go of by a wish.
        if (state.reason !== "otherNumber") {
          parts.onEnded();
        }
      }
      if (state.status === "CONNECTED") {
        stateWriter.note({ event: "connected", detail: null, at: clock.now() });
      }
    },
    onTyping: (...typing) => parts.onTyping(companyId, connectionId, ...typing),
    onNote(event, detail) {
      stateWriter.note({ event, detail: detail ?? null, at: clock.now() });
    },
    onAlarm: (alarm, error) => raiseAlarm(alarm, error, ALARM_TEXTS[alarm]),
    flushed: () => stateWriter.settled(),
    writtenState: () => stateWriter.shown(),
    rewriteState: () => stateWriter.repeat(),
  };
}

/**
 * Only what surely comes from the event itself: PostgreSQL's classes 22 and 23, and mistakes in the code that takes in.
 * A database that is away says so in many ways, and a message must never be given up for that.
 */
function isDataError(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const isRefused = typeof code === "string" && /^2[23]/.test(code);
  return isRefused || error instanceof TypeError || error instanceof RangeError || error instanceof ZodError;
}

/** Runs a transaction for its outcome and undoes it. */
async function dryRun(transact: (undo: () => never) => Promise<void>): Promise<void> {
  const enough = new Error("rehearsed");
  const undo = (): never => {
    throw enough;
  };
  await transact(undo).catch((error: unknown) => {
    if (error !== enough) {
      throw error;
    }
  });
}

/** The journal by destination; of a key or of the credentials only the last value counts. */
function groupEntries(entries: readonly JournalEntry[]) {
  const keys = new Map<string, Extract<JournalEntry, { kind: "keys" }>["writes"][number]>();
  const sent: { waId: string; payload: Buffer }[] = [];
  const events: LineEvent[] = [];
  let creds: string | null = null;
  for (const entry of entries) {
    switch (entry.kind) {
      case "keys":
        entry.writes.forEach((write) => keys.set(`${write.type}/${write.id}`, write));
        break;
      case "creds":
        creds = entry.value;
        break;
      case "sent":
        sent.push({ waId: entry.waId, payload: Buffer.from(entry.payload) });
        break;
      case "event":
        events.push(entry.event);
    }
  }
  return { keys, creds, sent: [...new Map(sent.map((each) => [each.waId, each])).values()], events };
}

interface PendingState {
  readonly state: LineState;
  readonly retries: number;
}

interface StateWriterOptions {
  readonly write: (state: PendingState | undefined, notes: readonly LineLogEntry[]) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

const RETRY_MS = 1_000;

/** Writes the latest state when it changed, and the notes since; one write at a time, again after a failure. */
function createStateWriter({ write, onFailure }: StateWriterOptions) {
  let next: PendingState | undefined;
  let last: PendingState | undefined;
  let writtenAt = 0;
  let notes: LineLogEntry[] = [];
  let writing: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (next !== undefined || notes.length > 0) {
      const state = next && JSON.stringify(next.state) !== JSON.stringify(last?.state) ? next : undefined;
      const batch = notes;
      next = undefined;
      notes = [];
      if (!state && batch.length === 0) {
        continue;
      }
      try {
        await write(state, batch);
        last = state ?? last;
        writtenAt = state ? performance.now() : writtenAt;
      } catch (error) {
        onFailure(error);
        if (error instanceof LeaseLostError) {
          return;
        }
        next ??= state;
        notes = [...batch, ...notes];
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  function wake(): void {
    writing ??= run().finally(() => (writing = undefined));
  }

  return {
    state(state: PendingState) {
      next = state;
      wake();
    },
    note(note: LineLogEntry) {
      notes.push(note);
      wake();
    },
    settled: async () => writing,
    shown: () => (last && !writing ? { status: last.state.status, forMs: performance.now() - writtenAt } : undefined),
    repeat() {
      next ??= last;
      last = undefined;
      wake();
    },
  };
}

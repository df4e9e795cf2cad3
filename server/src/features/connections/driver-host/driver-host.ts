import { ZodError } from "zod";
import type { JournalEntry, LineAlarm, LineEvent, LineHost, LineState } from "#server/whatsapp/port.ts";
import { CredentialsLostError, LeaseLostError } from "#server/whatsapp/port.ts";
import { DamagedValueError, openUnlessLost } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { CompanyScope } from "#server/platform/db/index.ts";
import type { Services } from "#server/platform/services.ts";
import { changeState } from "../connections.state.ts";
import { changeLimit, countDisconnects } from "../health/index.ts";
import { insertLineLogEntries } from "../history/index.ts";
import { holdLease } from "../leases/index.ts";
import {
  credsContext,
  deleteCredentials,
  deleteKeys,
  findCreds,
  findKeys,
  findSentPayload,
  findStoredMessages,
  insertSentPayloads,
  isNumberTaken,
  keyContext,
  saveCreds,
  upsertKeys,
} from "./line-store.queries.ts";
import { disconnectionOf } from "../line-limit.ts";
import { createQuarantine } from "./quarantine.ts";
import { createStateWriter } from "./state-writer.ts";

/**
 * Stores what a line received, in the transaction that also saves the Signal keys that were moved by it. It is tried again where another line
 * was first (decision 0303), so it may run twice.
 */
export type Ingest = (ctx: Ctx, connectionId: number, events: readonly LineEvent[]) => Promise<void>;

/** Called when a contact starts or stops typing; nothing is stored. */
export type TypingListener = (
  companyId: number,
  connectionId: number,
  ...typing: Parameters<LineHost["onTyping"]>
) => void;

export interface DriverHostOptions {
  readonly services: Services;
  readonly companyId: number;
  readonly connectionId: number;
  /** The connection's session_round: stored credentials of another round are deleted. */
  readonly round: number;
  /** The name of this process, as its leases have it. */
  readonly owner: string;
  readonly ingest: Ingest;
  readonly onTyping: TypingListener;
  /** Called with each state before it is written. */
  readonly onStateChange: (state: LineState) => void;
  /** The line disconnected for a reason after which it does not reconnect by itself. */
  readonly onEnded: () => void;
  readonly onLeaseLost: () => void;
}

export interface DriverHost extends LineHost {
  /** Resolves when the last state and log entry are written. */
  flushed(): Promise<void>;
  /** The status that was written last, and how long ago; undefined while another is being written. */
  writtenState(): { readonly status: LineState["status"]; readonly forMs: number } | undefined;
  /** Writes the current state again, after something else has changed the row. */
  rewriteState(): void;
}

const ALARM_TEXTS: Readonly<Record<LineAlarm, string>> = {
  order: "a message was raised without a frame in work",
  stuck: "a message was stuck between its decryption and its event",
  poison: "an event could not be taken in",
  commit: "what it received cannot be stored",
};

/** Failed commits in a row that are an entry of the line's log: the journal has retried for more than three seconds then. */
const COMMIT_FAILURES_LOGGED = 5;

/**
 * The LineHost of a connection: stores keys, credentials and events of its line, writes its state and its log. Each
 * transaction is fenced by the lease, so that a process that lost it writes nothing.
 */
export function createDriverHost(options: DriverHostOptions): DriverHost {
  const { services, companyId, connectionId, round, owner, ingest } = options;
  const { db, vault, clock, metrics } = services;
  const log = services.log.child({ company: companyId, connection: connectionId });
  const actor = { kind: "line", companyId, connectionId } as const;
  const scope: CompanyScope = { actor, companyId, log, clock, retry: true };

  /**
   * Throws LeaseLostError where another process has taken the line over. For a deleted connection nothing is written: its device
   * is being unlinked, and what it still receives goes with it.
   */
  async function inFencedTransaction(work: (ctx: Ctx) => Promise<void>): Promise<void> {
    const deleted = new Error(`Connection ${connectionId} is deleted`);
    const transaction = db.inCompany(scope, async (ctx) => {
      const [lease, done] = await Promise.allSettled([holdLease(ctx, connectionId, owner), work(ctx)]);
      // The lease is judged first: for a deleted connection the work fails too, and would be retried for ever.
      if (lease.status === "fulfilled" && !lease.value.isHeld) {
        throw new LeaseLostError(`Line ${connectionId} belongs to another process`);
      }
      if (lease.status === "fulfilled" && lease.value.isDeleted) {
        throw deleted;
      }
      const failed = [done, lease].find((each) => each.status === "rejected");
      if (failed) {
        throw failed.reason;
      }
    });
    await transaction.catch((error: unknown) => {
      if (error !== deleted) {
        throw error;
      }
    });
  }

  const throwLost = (): never => {
    throw new CredentialsLostError(
      `Credentials of line ${connectionId} cannot be opened; is SECRET_KEY the right one?`,
    );
  };

  /** Throws CredentialsLostError. */
  function openCreds(sealed: Buffer): string {
    return (openUnlessLost(() => vault.open(sealed, credsContext(connectionId))) ?? throwLost()).toString("utf8");
  }

  /**
   * Undefined for a damaged key, as for an absent one: WhatsApp's protocol makes another with that contact, and no other contact is cut
   * off for it. Throws CredentialsLostError.
   */
  function openKey(type: string, id: string, sealed: Buffer): string | undefined {
    const noteDamaged = (error: Error) =>
      error instanceof DamagedValueError ? log.error({ err: error, type }, "stored line key is damaged") : throwLost();
    return openUnlessLost(() => vault.open(sealed, keyContext(connectionId, type, id)), noteDamaged)?.toString("utf8");
  }

  const forget = () => inFencedTransaction((ctx) => deleteCredentials(ctx, connectionId));

  async function storeEntries(ctx: Ctx, entries: readonly JournalEntry[]): Promise<void> {
    const { keys, creds, sent, events } = groupEntries(entries);
    const written = [...keys].map(([, write]) => write);
    // Pipelined: the statements go out in this order, none waits for the result of the one before.
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
    dryRun: (event) =>
      dryRun((rollBack) =>
        inFencedTransaction(async (ctx) => {
          await ingest(ctx, connectionId, [event]);
          await ctx.raw(NOTHING_MORE, []);
          rollBack();
        }),
      ),
    isDataError,
    onPoison: (event, error) => raiseAlarm("poison", error, `a ${event.type} could not be taken in`),
  });

  const stateWriter = createStateWriter({
    write: (state, { logEntries, limits, disconnections }) =>
      inFencedTransaction(async (ctx) => {
        if (logEntries.length > 0) {
          await insertLineLogEntries(ctx, connectionId, logEntries);
        }
        if (state) {
          await changeState(ctx, connectionId, state.state, state.retries);
        }
        for (const limit of limits) {
          await changeLimit(ctx, connectionId, limit);
        }
        await countDisconnects(ctx, connectionId, disconnections);
      }),
    onFailure(error) {
      if (error instanceof LeaseLostError) {
        options.onLeaseLost();
      } else {
        log.warn({ err: error }, "line state not written; will retry");
      }
    },
  });
  let retries = 0;
  let lastStatus: LineState["status"] | undefined;
  /** In a row. */
  let commitFailures = 0;
  /** The socket of a connected line was closed, and its next state is not known yet. */
  let isCut = false;

  function addLogEntry(event: string, detail?: string): void {
    stateWriter.addLogEntry({ event, detail: detail ?? null, at: clock.now() });
  }

  function raiseAlarm(alarm: LineAlarm, error: unknown, detail: string): void {
    metrics.lineAlarms.inc({ alarm });
    log.error({ err: error, alarm }, `line alarm: ${detail}`);
    commitFailures += alarm === "commit" ? 1 : 0;
    // Of `commit` one entry, and none for a short one: after an outage of the database the log would be full of them.
    if (alarm !== "commit" || commitFailures === COMMIT_FAILURES_LOGGED) {
      addLogEntry("alarm", detail);
    }
  }

  return {
    connectionId,
    log,
    clock,
    async loadCreds() {
      const saved = await findCreds(db, companyId, connectionId);
      const isStale = saved !== undefined && saved.round !== round;
      try {
        return saved ? { value: openCreds(saved.value), isStale } : null;
      } catch (error) {
        // A new QR was asked for: it replaces what cannot be opened.
        if (!isStale || !(error instanceof CredentialsLostError)) {
          throw error;
        }
        addLogEntry("notUnlinked");
        await forget();
        return null;
      }
    },
    async loadKeys(type, ids) {
      const rows = await findKeys(db, companyId, connectionId, type, ids);
      const opened = rows.map(({ id, value }) => [id, openKey(type, id, value)] as const);
      return new Map(opened.filter((entry): entry is [string, string] => entry[1] !== undefined));
    },
    async commit(entries) {
      await quarantine.commit(entries);
      commitFailures = 0;
      const isReceived = (entry: JournalEntry) =>
        entry.kind === "event" && entry.event.type === "message" && !entry.event.message.fromMe;
      metrics.messages.inc({ direction: "in" }, entries.filter(isReceived).length);
    },
    isNumberTaken: (number) => isNumberTaken(db, companyId, connectionId, number),
    forget,
    async findSentPayload(waId) {
      const payload = await findSentPayload(db, companyId, connectionId, waId);
      return payload ?? null;
    },
    findStored: (messages) => findStoredMessages(db, companyId, connectionId, messages),
    onState(state) {
      options.onStateChange(state);
      retries = state.status === "CONNECTED" ? 0 : retries + (state.status === "OPENING" ? 1 : 0);
      const disconnection = disconnectionOf(state, { isCut });
      isCut = false;
      lastStatus = state.status;
      if (disconnection) {
        stateWriter.addDisconnection({ ...disconnection, at: clock.now() });
      }
      stateWriter.setState({ state, retries });
      if (state.status === "DISCONNECTED") {
        addLogEntry("stopped", `${state.reason} ${state.detail}`.trim());
        // These are still linked, and wait for a decision about the number or for the secret: the desired state ends or reopens them.
        if (state.reason !== "otherNumber" && state.reason !== "lostSecret") {
          options.onEnded();
        }
      }
      if (state.status === "CONNECTED") {
        addLogEntry("connected");
      }
    },
    onLimit: (limit) => stateWriter.addLimit(limit),
    onTyping: (...typing) => options.onTyping(companyId, connectionId, ...typing),
    onNote(event, detail) {
      isCut ||= event === "closed" && lastStatus === "CONNECTED";
      addLogEntry(event, detail);
    },
    onAlarm: (alarm, error) => raiseAlarm(alarm, error, ALARM_TEXTS[alarm]),
    flushed: () => stateWriter.flushed(),
    writtenState: () => stateWriter.writtenState(),
    rewriteState: () => stateWriter.rewriteState(),
  };
}

/**
 * Only errors that surely come from the event itself: PostgreSQL's classes 22 (data), 23 (constraints) and 54 (limits: a value that
 * no index takes), and mistakes in the code of the ingest. An unreachable database fails in many ways, and no message may be given up for that.
 */
function isDataError(error: unknown): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const isRefused = typeof code === "string" && /^(?:2[23]|54)/.test(code);
  return isRefused || error instanceof TypeError || error instanceof RangeError || error instanceof ZodError;
}

/** Answered after the statements that the ingest left in flight (decision 0301); fails with them. */
const NOTHING_MORE = { name: "nothing_more", text: "select" };

/** Runs a transaction and rolls it back; rejects where it fails. */
async function dryRun(transact: (rollBack: () => never) => Promise<void>): Promise<void> {
  const rolledBack = new Error("rolled back after a dry run");
  const rollBack = (): never => {
    throw rolledBack;
  };
  await transact(rollBack).catch((error: unknown) => {
    if (error !== rolledBack) {
      throw error;
    }
  });
}

/** Journal entries by the table that they go to; of a key and of the credentials only the last value is kept. */
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

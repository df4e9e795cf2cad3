import type { JournalEntry, LineEvent } from "#server/whatsapp/port.ts";

/** Attempts to commit the same entries before a poison event is looked for among them. */
const MAX_ATTEMPTS = 5;

export interface Quarantine {
  /**
   * Commits the entries; after five failures without the poison event, which is found by dry runs. Where it rejects then, events
   * may be stored without the keys that they moved.
   */
  commit(entries: readonly JournalEntry[]): Promise<void>;
}

export interface QuarantineOptions {
  readonly commit: (entries: readonly JournalEntry[]) => Promise<void>;
  /** Ingests one event and rolls back; rejects where it cannot be ingested. */
  readonly dryRun: (event: LineEvent) => Promise<void>;
  /** False for transient faults: an unreachable database, a lost lease. */
  readonly isDataError: (error: unknown) => boolean;
  readonly onPoison: (event: LineEvent, error: unknown) => void;
}

/**
 * Quarantine for poison events: one event that cannot be ingested must not stop its line for ever, as WhatsApp would
 * deliver it again after each restart. A message is then stored as "unsupported", so that a person sees that there was
 * one, and the bot does not answer it; any other event is left out. Both raise an alarm.
 */
export function createQuarantine({ commit, dryRun, isDataError, onPoison }: QuarantineOptions): Quarantine {
  let failures = 0;

  async function replacePoison(entry: JournalEntry): Promise<JournalEntry[]> {
    if (entry.kind !== "event") {
      return [entry];
    }
    const failure = await failureOf(entry.event);
    if (failure === undefined) {
      return [entry];
    }
    onPoison(entry.event, failure);
    const bare = withoutContent(entry.event);
    return bare && (await failureOf(bare)) === undefined ? [{ kind: "event", event: bare }] : [];
  }

  async function failureOf(event: LineEvent): Promise<unknown> {
    try {
      await dryRun(event);
      return undefined;
    } catch (error) {
      if (!isDataError(error)) {
        throw error;
      }
      return error;
    }
  }

  /**
   * For events that pass alone and fail together. Keys come last: an event whose keys are lost is delivered again and
   * recognised, while a key without its event would make the message unreadable.
   */
  async function commitOneByOne(entries: readonly JournalEntry[]): Promise<void> {
    for (const entry of entries) {
      if (entry.kind === "event") {
        await commit([entry]);
      }
    }
    await commit(entries.filter(({ kind }) => kind !== "event"));
  }

  return {
    async commit(entries) {
      try {
        await commit(entries);
      } catch (error) {
        failures = isDataError(error) ? failures + 1 : 0;
        if (failures < MAX_ATTEMPTS) {
          throw error;
        }
        const replaced: JournalEntry[] = [];
        for (const entry of entries) {
          replaced.push(...(await replacePoison(entry)));
        }
        await commit(replaced).catch((failure: unknown) => {
          if (!isDataError(failure)) {
            throw failure;
          }
          return commitOneByOne(replaced);
        });
      }
      failures = 0;
    },
  };
}

/** The same message without the parts that can make the ingest fail; undefined for other events. */
function withoutContent(event: LineEvent): LineEvent | undefined {
  return event.type === "message"
    ? {
        type: "message",
        message: {
          ...event.message,
          pushName: "",
          quotedWaId: null,
          content: { kind: "unsupported", what: "unreadable" },
          isQuarantined: true,
        },
      }
    : undefined;
}

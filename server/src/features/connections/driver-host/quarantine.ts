import type { JournalEntry, LineEvent } from "#server/whatsapp/port.ts";

/** So often the same entries are tried before one of them is suspected. */
const MAX_ATTEMPTS = 5;

export interface Quarantine {
  /** Commits; after some failures without the event that cannot be taken in, which is told apart from the others. */
  commit(entries: readonly JournalEntry[]): Promise<void>;
}

export interface QuarantineOptions {
  readonly commit: (entries: readonly JournalEntry[]) => Promise<void>;
  /** Takes this one in and undoes it: rejects when it cannot be taken in. */
  readonly dryRun: (event: LineEvent) => Promise<void>;
  /** False for faults that pass: a database that is away, a lease that is lost. */
  readonly isDataError: (error: unknown) => boolean;
  readonly onPoison: (event: LineEvent, error: unknown) => void;
}

/**
 * One event that cannot be taken in must not stop its line for ever: WhatsApp would deliver it again after each
 * restart. A message is then taken in as "unsupported", so that a person sees that there was one; any other event is
 * left out. Both are alarms.
 */
export function createQuarantine({
  commit,
  dryRun: rehearse,
  isDataError: isOfTheData,
  onPoison,
}: QuarantineOptions): Quarantine {
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
      await rehearse(event);
      return undefined;
    } catch (error) {
      if (!isOfTheData(error)) {
        throw error;
      }
      return error;
    }
  }

  return {
    async commit(entries) {
      try {
        await commit(entries);
      } catch (error) {
        failures = isOfTheData(error) ? failures + 1 : 0;
        if (failures < MAX_ATTEMPTS) {
          throw error;
        }
        const replaced: JournalEntry[] = [];
        for (const entry of entries) {
          replaced.push(...(await replacePoison(entry)));
        }
        await commit(replaced);
      }
      failures = 0;
    },
  };
}

/** The same message with nothing in it that could be the trouble. */
function withoutContent(event: LineEvent): LineEvent | undefined {
  return event.type === "message"
    ? {
        type: "message",
        message: {
          ...event.message,
          pushName: "",
          quotedWaId: null,
          content: { kind: "unsupported", what: "unreadable" },
        },
      }
    : undefined;
}

import type { JournalEntry, LineEvent } from "#server/whatsapp/port.ts";

/** So often the same entries are tried before one of them is suspected. */
const PATIENCE = 5;

export interface Antidote {
  /** Commits; after some failures without the event that cannot be taken in, which is told apart from the others. */
  commit(entries: readonly JournalEntry[]): Promise<void>;
}

export interface AntidoteParts {
  readonly commit: (entries: readonly JournalEntry[]) => Promise<void>;
  /** Takes this one in and undoes it: rejects when it cannot be taken in. */
  readonly rehearse: (event: LineEvent) => Promise<void>;
  /** False for faults that pass: a database that is away, a lease that is lost. */
  readonly isOfTheData: (error: unknown) => boolean;
  readonly onPoison: (event: LineEvent, error: unknown) => void;
}

/**
 * One event that cannot be taken in must not stop its line for ever: WhatsApp would deliver it again after each
 * restart. A message is then taken in as "unsupported", so that a person sees that there was one; any other event is
 * left out. Both are alarms.
 */
export function createAntidote({ commit, rehearse, isOfTheData, onPoison }: AntidoteParts): Antidote {
  let failures = 0;

  async function cure(entry: JournalEntry): Promise<JournalEntry[]> {
    if (entry.kind !== "event") {
      return [entry];
    }
    const problem = await problemWith(entry.event);
    if (problem === undefined) {
      return [entry];
    }
    onPoison(entry.event, problem);
    const plain = plainOf(entry.event);
    return plain && (await problemWith(plain)) === undefined ? [{ kind: "event", event: plain }] : [];
  }

  async function problemWith(event: LineEvent): Promise<unknown> {
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
        if (failures < PATIENCE) {
          throw error;
        }
        const cured: JournalEntry[] = [];
        for (const entry of entries) {
          cured.push(...(await cure(entry)));
        }
        await commit(cured);
      }
      failures = 0;
    },
  };
}

/** The same message with nothing in it that could be the trouble. */
function plainOf(event: LineEvent): LineEvent | undefined {
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

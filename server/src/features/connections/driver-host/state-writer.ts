import type { LineLimit, LineState } from "#server/whatsapp/port.ts";
import { LeaseLostError } from "#server/whatsapp/port.ts";
import type { LineLogEntry } from "../history/index.ts";
import type { LineSignal } from "../line-limit.ts";

interface PendingState {
  readonly state: LineState;
  readonly retries: number;
}

/** What is written beside the state: all of it, in order. */
interface Reports {
  readonly logEntries: LineLogEntry[];
  readonly limits: LineLimit[];
  readonly disconnections: LineSignal[];
}

const noReports = (): Reports => ({ logEntries: [], limits: [], disconnections: [] });

function countOf({ logEntries, limits, disconnections }: Reports): number {
  return logEntries.length + limits.length + disconnections.length;
}

interface StateWriterOptions {
  readonly write: (state: PendingState | undefined, reports: Reports) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

const RETRY_MS = 1_000;

/** Writes the latest state when it changed, and what was reported since; one write at a time, retried after a failure. */
export function createStateWriter({ write, onFailure }: StateWriterOptions) {
  let next: PendingState | undefined;
  let last: PendingState | undefined;
  let writtenAt = 0;
  let reports = noReports();
  let writing: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (next !== undefined || countOf(reports) > 0) {
      const state = next && JSON.stringify(next.state) !== JSON.stringify(last?.state) ? next : undefined;
      const batch = reports;
      next = undefined;
      reports = noReports();
      if (!state && countOf(batch) === 0) {
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
        reports = {
          logEntries: [...batch.logEntries, ...reports.logEntries],
          limits: [...batch.limits, ...reports.limits],
          disconnections: [...batch.disconnections, ...reports.disconnections],
        };
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  function wake(): void {
    writing ??= run().finally(() => (writing = undefined));
  }

  return {
    setState(state: PendingState) {
      next = state;
      wake();
    },
    addLogEntry(entry: LineLogEntry) {
      reports.logEntries.push(entry);
      wake();
    },
    addLimit(limit: LineLimit) {
      reports.limits.push(limit);
      wake();
    },
    addDisconnection(signal: LineSignal) {
      reports.disconnections.push(signal);
      wake();
    },
    flushed: async () => writing,
    writtenState: () =>
      last && !writing ? { status: last.state.status, forMs: performance.now() - writtenAt } : undefined,
    rewriteState() {
      next ??= last;
      last = undefined;
      wake();
    },
  };
}

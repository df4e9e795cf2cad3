/**
 * What each user last saw of the desk: in the session of this tab for a reload and for the way back from another screen; in
 * this browser for the next visit, which starts without the search of the last one.
 */

import type { TicketOrder } from "@prosa/contract/tickets";

const tabs = ["open", "closed", "search"] as const;
const openTabs = ["open", "pending"] as const;
const orders = ["waiting", "newest"] as const satisfies readonly TicketOrder[];

export type DeskTab = (typeof tabs)[number];
export type OpenTab = (typeof openTabs)[number];

export interface DeskState {
  readonly tab: DeskTab;
  readonly openTab: OpenTab;
  /** Of those who wait. */
  readonly waitingOrder: TicketOrder;
  readonly showAll: boolean;
  readonly queueIds: readonly number[];
  readonly tags: readonly number[];
  readonly users: readonly number[];
  readonly text: string;
}

const key = "prosa.desk";

type Known = Readonly<Record<string, unknown>>;

/** `session` and `local` throw where the browser blocks storage: then nothing is kept. */
export function createDeskMemory(storage: { readonly session: () => Storage; readonly local: () => Storage }) {
  return {
    /** What this user last saw, over the given state of a first visit. */
    read(userId: number, first: DeskState): DeskState {
      const ofTab = stateOf(readAll(storage.session), userId);
      if (ofTab) {
        return merged(first, ofTab);
      }
      const before = merged(first, stateOf(readAll(storage.local), userId) ?? {});
      const { tags, users, text } = first;
      return { ...before, tab: before.tab === "search" ? first.tab : before.tab, tags, users, text };
    },
    write(userId: number, state: DeskState): void {
      const { tab, openTab, waitingOrder, showAll, queueIds } = state;
      writeOne(storage.session, userId, state);
      writeOne(storage.local, userId, { tab, openTab, waitingOrder, showAll, queueIds });
    },
    /** Changes what is kept while no list is on the screen, as on a phone. */
    showServing(userId: number): void {
      for (const place of [storage.session, storage.local]) {
        const kept = stateOf(readAll(place), userId);
        if (kept) {
          writeOne(place, userId, { ...kept, openTab: "open" });
        }
      }
    },
    /** Forgets what was searched for in this tab: somebody else may sign in next. */
    endSession(): void {
      try {
        storage.session().removeItem(key);
      } catch {
        // blocked: nothing was stored
      }
    },
  };
}

/**
 * Pure: the chosen ones that can still be chosen, and 0, which stands for "no queue"; all of them while nobody knows. Where none falls
 * out it is the same array.
 */
export function stillChoosable(
  chosen: readonly number[],
  choices: readonly { readonly id: number }[] | undefined,
): readonly number[] {
  const isChoosable = (id: number) => !choices || id === 0 || choices.some((queue) => queue.id === id);
  return chosen.every(isChoosable) ? chosen : chosen.filter(isChoosable);
}

function readAll(storage: () => Storage): Known {
  try {
    const value: unknown = JSON.parse(storage().getItem(key) ?? "{}");
    return isKnown(value) ? value : {};
  } catch {
    return {};
  }
}

function writeOne(storage: () => Storage, userId: number, state: object): void {
  try {
    storage().setItem(key, JSON.stringify({ ...readAll(storage), [userId]: state }));
  } catch {
    // full or blocked: the next visit is a first one
  }
}

function stateOf(all: Known, userId: number): Known | undefined {
  const state = all[String(userId)];
  return isKnown(state) ? state : undefined;
}

function merged(first: DeskState, known: Known): DeskState {
  return {
    tab: tabs.find((each) => each === known["tab"]) ?? first.tab,
    openTab: openTabs.find((each) => each === known["openTab"]) ?? first.openTab,
    waitingOrder: orders.find((each) => each === known["waitingOrder"]) ?? first.waitingOrder,
    showAll: typeof known["showAll"] === "boolean" ? known["showAll"] : first.showAll,
    queueIds: idsIn(known["queueIds"]) ?? first.queueIds,
    tags: idsIn(known["tags"]) ?? first.tags,
    users: idsIn(known["users"]) ?? first.users,
    text: typeof known["text"] === "string" ? known["text"] : first.text,
  };
}

function isKnown(value: unknown): value is Known {
  return typeof value === "object" && value !== null;
}

function idsIn(value: unknown): readonly number[] | undefined {
  return Array.isArray(value) && value.every(Number.isInteger) ? (value as number[]) : undefined;
}

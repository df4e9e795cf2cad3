import { chooseOpener, firstOpeningAt, MAX_MESSAGES_PER_DAY, nextOpeningAt, planReaction } from "./behaviour.ts";
import type { CustomerChat, Random } from "./behaviour.ts";
import { openingMessage, replyTo, unusedName } from "./texts.ts";
import type { ScriptedMessage } from "./texts.ts";

/** What scripted customers of one line can do on the network. */
export interface CustomerActions {
  listChats(): Promise<readonly CustomerChat[]>;
  /** Adds a customer and returns the number; undefined if that is not possible now. */
  addCustomer(name: string): Promise<string | undefined>;
  /** Counts one message of this day; false if the line has reached the limit. */
  claimMessage(limit: number): Promise<boolean>;
  markRead(number: string): Promise<void>;
  showTyping(number: string): Promise<void>;
  send(number: string, message: ScriptedMessage): Promise<void>;
}

interface ScheduledAction {
  readonly at: number;
  readonly number: string;
  readonly run: () => Promise<void>;
}

/** The scripted customers of one line. Times are in milliseconds. */
export interface ScriptedCustomers {
  /** Schedules the reaction of the customer with this number to a user's message. */
  onMessage(number: string, text: string, now: number): void;
  /** Runs the actions that are due. */
  runDue(now: number): Promise<void>;
}

export function createScriptedCustomers(
  actions: CustomerActions,
  random: Random,
  startedAt: number,
): ScriptedCustomers {
  let openingAt = firstOpeningAt(startedAt, random);
  let scheduled: ScheduledAction[] = [];
  const repliedAt = new Map<string, number[]>();

  async function send(number: string, message: ScriptedMessage): Promise<void> {
    if (await actions.claimMessage(MAX_MESSAGES_PER_DAY)) {
      await actions.send(number, message);
    }
  }

  async function openConversation(now: number): Promise<void> {
    const chats = await actions.listChats();
    const opener = chooseOpener(chats, now, random);
    if (opener === null) {
      return;
    }
    if (opener !== "newCustomer") {
      return send(opener.number, openingMessage(random));
    }
    const name = unusedName(
      chats.map((chat) => chat.name),
      random,
    );
    const number = name === undefined ? undefined : await actions.addCustomer(name);
    if (number !== undefined) {
      await send(number, openingMessage(random));
    }
  }

  return {
    onMessage(number, text, now) {
      const before = repliedAt.get(number) ?? [];
      const { readsAt, typesAt, writesAt } = planReaction(now, before, random);
      // Several messages in a row get one reaction: the reaction to the last replaces the scheduled one.
      scheduled = scheduled.filter((action) => action.number !== number);
      scheduled.push({ at: readsAt, number, run: () => actions.markRead(number) });
      if (writesAt !== null) {
        repliedAt.set(number, [...before.slice(-20), writesAt]);
        scheduled.push({ at: typesAt, number, run: () => actions.showTyping(number) });
        scheduled.push({ at: writesAt, number, run: () => send(number, replyTo(text, random)) });
      }
    },
    async runDue(now) {
      const due = scheduled.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
      scheduled = scheduled.filter(({ at }) => at > now);
      for (const { run } of due) {
        await run();
      }
      if (now >= openingAt) {
        openingAt = nextOpeningAt(now, random);
        await openConversation(now);
      }
    },
  };
}

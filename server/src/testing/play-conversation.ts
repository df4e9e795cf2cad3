import { sql } from "kysely";
import type { LineEvent } from "#server/whatsapp/port.ts";
import type { BotScenario } from "./bot-scenario.ts";
import { messageFrom } from "./bot-scenario.ts";
import { isMenu } from "./bot-words.ts";
import { burstSeconds, choicesOn, lineOf, wordsOf } from "./bot-customers.ts";
import type { Conversation, Kind, Line, Said } from "./bot-customers.ts";

/** Messages that reached the server in one transaction, and what the bot said to them. */
export interface Delivery {
  /** The bursts that its first and last message belong to. */
  readonly bursts: readonly [number, number];
  readonly said: readonly Kind[];
  /** Choices and ways that the phone showed: it must be answered. */
  readonly isDue: boolean;
  /** May be answered although the burst already was: a choice, a way, the start of an episode. */
  readonly isEffective: boolean;
  /** A user has the ticket. */
  readonly isAccepted: boolean;
  readonly isOpenHour: boolean;
  /** Texts; files as `[image] caption`. */
  readonly answer: readonly string[];
}

export interface Played {
  readonly deliveries: readonly Delivery[];
  /** All that the bot stored for this customer, in order. */
  readonly phone: readonly string[];
  readonly ticket: TicketState;
  /** A user had the last episode. */
  readonly hadPerson: boolean;
  readonly sentCount: number;
}

interface TicketState {
  readonly status: "pending" | "open" | "closed";
  readonly chatbot: boolean;
  /** Stored messages of the customer. */
  readonly stored: number;
}

export interface PlayOptions {
  /** Of the customer. */
  readonly number: string;
  readonly isOpenAt: (at: Date) => boolean;
  /** The limit of the connection; 0: none. */
  readonly maxMenus: number;
  /** A queue that is closed while the others are open. */
  readonly closedQueue: string | undefined;
  /** Timers of the connection run in each pause. */
  readonly hasTimers: boolean;
}

/** A written message that has not reached the server. */
interface Waiting {
  readonly said: Said;
  readonly burst: number;
  /** The lines that the phone showed when this was written. */
  readonly choices: readonly Line[];
  readonly event: LineEvent;
}

const choiceKinds: readonly Kind[] = ["choice", "captionedChoice", "titleChoice"];
const wayKinds: readonly Kind[] = ["mainMenu", "previousMenu", "stopWord"];

/** Plays one customer on a fake line, with the agent's acts between, and then the ending. */
export async function playConversation(
  scenario: BotScenario,
  { steps, ending }: Conversation,
  options: PlayOptions,
): Promise<Played> {
  const player = new Player(scenario, options);
  for (const step of steps) {
    await ("agent" in step ? player.act(step.agent) : player.say(step));
  }
  await player.end(ending);
  await scenario.app.settle();
  await player.look();
  return player;
}

class Player implements Played {
  readonly deliveries: Delivery[] = [];
  readonly phone: string[] = [];
  ticket: TicketState = { status: "closed", chatbot: false, stored: 0 };
  hadPerson = false;
  sentCount = 0;
  readonly #scenario: BotScenario;
  readonly #options: PlayOptions;
  /** How many messages of each kind were written. */
  readonly #written = new Map<Kind, number>();
  #waiting: Waiting[] = [];
  #burst = 0;
  #lastId = 0;
  #toldClosedAt = 0;

  constructor(scenario: BotScenario, options: PlayOptions) {
    this.#scenario = scenario;
    this.#options = options;
  }

  /** Writes a message; what waits before it is delivered first, unless both come in one transaction. */
  async say(said: Said): Promise<void> {
    if (!said.joins) {
      await this.#deliver();
    }
    await this.#pass(said.gapSeconds);
    const choices = choicesOn(this.phone);
    const turn = this.#written.get(said.kind) ?? 0;
    this.#written.set(said.kind, turn + 1);
    const event = messageFrom(this.#options.number, wordsOf(said, choices, turn), this.#scenario.clock.now());
    this.#waiting.push({ said, burst: this.#burst, choices, event });
  }

  /** An agent accepts, returns or resolves. */
  async act(status: TicketState["status"]): Promise<void> {
    await this.#deliver();
    if (this.sentCount > 0 && this.ticket.status !== status) {
      const { id } = await this.#scenario.ticketOf(this.#options.number);
      await this.#scenario.admin.put(`/tickets/${id}`, { status });
      this.hadPerson = true;
    }
    await this.#pass(60);
    await this.look();
  }

  /** In opening hours the customer wants to be done with it. */
  async end(ending: Conversation["ending"]): Promise<void> {
    const { clock } = this.#scenario;
    const { isOpenAt, maxMenus } = this.#options;
    await this.#deliver();
    await this.#pass(20 * 60);
    for (let hours = 0; !isOpenAt(clock.now()) && hours < 7 * 24; hours += 1) {
      clock.advance({ hours: 1 });
    }
    if (ending === "wrongAnswers" && maxMenus > 0) {
      await this.#sayWhileUnended("chatter", 12);
    } else if (ending === "leaf") {
      await this.#sayWhileUnended("mainMenu", 1);
      await this.#sayWhileUnended("choice", 6);
    }
    await this.#sayWhileUnended("stopWord", 1);
  }

  async #sayWhileUnended(kind: Kind, atMost: number): Promise<void> {
    for (let count = 0; this.ticket.status === "pending" && this.ticket.chatbot && count < atMost; count += 1) {
      await this.say({ kind, pick: 0, gapSeconds: 11 * 60, joins: false });
      await this.#deliver();
    }
  }

  async #pass(seconds: number): Promise<void> {
    const { clock, app } = this.#scenario;
    clock.advance({ seconds });
    if (seconds >= burstSeconds) {
      this.#burst += 1;
    }
    if (this.#options.hasTimers && seconds >= 60) {
      // The first settle enqueues the timers that are due, the second runs them.
      await app.settle();
      await app.settle();
      await this.look();
    }
  }

  async #deliver(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 0) {
      return;
    }
    const { status } = this.ticket;
    const isRight = batch.some((each) => this.#isRight(each));
    // Also on a menu further up, such as above the words that a queue is closed.
    const isAttempt = batch.some(({ said: { kind } }) => wayKinds.includes(kind) || choiceKinds.includes(kind));
    const isOpenHour = this.#options.isOpenAt(this.#scenario.clock.now());
    if (status === "closed") {
      this.hadPerson = false;
    }

    await this.#scenario.receive(batch.map(({ event }) => event));
    this.sentCount += batch.length;
    this.deliveries.push({
      bursts: [batch[0]!.burst, batch.at(-1)!.burst],
      said: batch.map(({ said }) => said.kind),
      isDue: status === "pending" && !this.hadPerson && isOpenHour && isRight,
      isEffective: status === "closed" || isAttempt,
      isAccepted: status === "open",
      isOpenHour,
      answer: await this.look(),
    });
  }

  /** Does this choose a line or a way that the phone showed when it was written, and shows now? */
  #isRight({ said: { kind, pick }, choices }: Waiting): boolean {
    const shown = choicesOn(this.phone);
    const menu = this.phone.findLast(isMenu) ?? "";
    const isLive = shown.length > 0 && titlesOf(shown) === titlesOf(choices);
    const isWay =
      kind === "stopWord" ||
      (kind === "mainMenu" && menu.includes("*[ # ]*")) ||
      (kind === "previousMenu" && menu.includes("*[ 0 ]*"));
    return isLive && (isWay || (choiceKinds.includes(kind) && !this.#wasToldClosed(lineOf(pick, choices))));
  }

  /** That a queue is closed is said once an hour (rule 4). */
  #wasToldClosed(line: Line | undefined): boolean {
    const { clock } = this.#scenario;
    const wasTold = clock.now().getTime() - this.#toldClosedAt < 3_600_000;
    return wasTold && line?.title === this.#options.closedQueue;
  }

  /** Reads what the bot said since the last look, and the ticket. */
  async look(): Promise<string[]> {
    const { number } = this.#options;
    const [rows, ticket] = await this.#scenario.company.inside(async ({ db }) => {
      const own = sql`select t.id from tickets t join contacts c on c.id = t.contact_id where c.number = ${number}`;
      const said = await sql<{ id: string; body: string; kind: string }>`
        select id, body, media_type as kind from messages
        where ticket_id = any(array(${own})) and from_me and is_automatic and id > ${this.#lastId}
        order by id`.execute(db);
      const tickets = await sql<TicketState>`
        select status, chatbot,
          (select count(*) from messages m where m.ticket_id = t.id and not m.from_me)::int as stored
        from tickets t where id = any(array(${own}))`.execute(db);
      return [said.rows, tickets.rows[0]] as const;
    });
    this.#lastId = Number(rows.at(-1)?.id ?? this.#lastId);
    this.ticket = ticket ?? this.ticket;
    const words = rows.map(({ body, kind }) => (kind === "chat" ? body : `[${kind}] ${body}`));
    this.phone.push(...words);
    if (words.some((text) => /fechado/i.test(text))) {
      this.#toldClosedAt = this.#scenario.clock.now().getTime();
    }
    return words;
  }
}

const titlesOf = (lines: readonly Line[]) => lines.map(({ title }) => title).join();

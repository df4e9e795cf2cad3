import { MOST_A_DAY, nextFirstAt, reactionTo, veryFirstAt, whoWritesFirst } from "./lively.plan.ts";
import type { Acquaintance, Chance } from "./lively.plan.ts";
import { answerTo, newName, openingWords } from "./lively.words.ts";
import type { Words } from "./lively.words.ts";

/** What the life of a line needs of the world. */
export interface World {
  acquaintances(): Promise<readonly Acquaintance[]>;
  /** Adds a person; undefined where it is not possible now. */
  introduce(name: string): Promise<string | undefined>;
  /** False when the line's people said enough today. */
  mayStillSpeak(most: number): Promise<boolean>;
  reads(number: string): Promise<void>;
  types(number: string): Promise<void>;
  says(number: string, words: Words): Promise<void>;
}

interface Deed {
  readonly at: number;
  readonly number: string;
  readonly run: () => Promise<void>;
}

/** One line's people: told what agents write and what time it is, they do what they decided. */
export interface Life {
  hear(number: string, text: string, now: number): void;
  /** Does everything that is due. */
  live(now: number): Promise<void>;
}

export function createLife(world: World, chance: Chance, bornAt: number): Life {
  let firstAt = veryFirstAt(bornAt, chance);
  let deeds: Deed[] = [];
  const answered = new Map<string, number[]>();

  async function speak(number: string, words: Words): Promise<void> {
    if (await world.mayStillSpeak(MOST_A_DAY)) {
      await world.says(number, words);
    }
  }

  async function writeFirst(now: number): Promise<void> {
    const people = await world.acquaintances();
    const chosen = whoWritesFirst(people, now, chance);
    if (chosen === null) {
      return;
    }
    if (chosen !== "newcomer") {
      return speak(chosen.number, openingWords(chance));
    }
    const name = newName(
      people.map((one) => one.name),
      chance,
    );
    const number = name === undefined ? undefined : await world.introduce(name);
    if (number !== undefined) {
      await speak(number, openingWords(chance));
    }
  }

  return {
    hear(number, text, now) {
      const before = answered.get(number) ?? [];
      const { readsAt, typesAt, writesAt } = reactionTo(now, before, chance);
      // Several messages at once are met as one: the reaction to the last counts.
      deeds = deeds.filter((deed) => deed.number !== number);
      deeds.push({ at: readsAt, number, run: () => world.reads(number) });
      if (writesAt !== null) {
        answered.set(number, [...before.slice(-20), writesAt]);
        deeds.push({ at: typesAt, number, run: () => world.types(number) });
        deeds.push({ at: writesAt, number, run: () => speak(number, answerTo(text, chance)) });
      }
    },
    async live(now) {
      const due = deeds.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
      deeds = deeds.filter(({ at }) => at > now);
      for (const { run } of due) {
        await run();
      }
      if (now >= firstAt) {
        firstAt = nextFirstAt(now, chance);
        await writeFirst(now);
      }
    },
  };
}

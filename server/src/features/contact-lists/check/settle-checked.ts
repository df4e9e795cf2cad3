import { matchNumber } from "@prosa/contract";
import type { PersonRef } from "#server/whatsapp/port.ts";

export interface UncheckedItem {
  readonly id: number;
  readonly number: string;
  readonly matchNumber: string;
}

export interface KnownItem {
  readonly id: number;
  readonly matchNumber: string;
  readonly lid: string | null;
}

/** What becomes of checked items, by their ids. */
export interface CheckedItems {
  readonly valid: readonly (UncheckedItem & { readonly lid: string | null })[];
  /** Not on WhatsApp. */
  readonly invalid: readonly number[];
  /** Another spelling of a person who is in the list already. */
  readonly duplicates: readonly number[];
}

/**
 * Decides what WhatsApp's answers mean for a batch of items; a number without an answer is not on WhatsApp. `known` are items
 * of the list that have one of the numbers or LIDs of the answers, those of the batch included. Of two items of one person
 * the one that was added first stays, and an item that was checked before stays in any case. Pure.
 */
export function settleChecked(
  batch: readonly UncheckedItem[],
  answers: ReadonlyMap<string, PersonRef>,
  known: readonly KnownItem[],
): CheckedItems {
  const inBatch = new Set(batch.map(({ id }) => id));
  const others = known.filter(({ id }) => !inBatch.has(id));
  const numbers = new Set(others.map((item) => item.matchNumber));
  const lids = new Set(others.flatMap(({ lid }) => lid ?? []));
  // numbers of items of the batch, as long as those have not moved on to another one
  const held = new Map(batch.map((item) => [item.matchNumber, item.id]));
  const valid: CheckedItems["valid"][number][] = [];
  const duplicates: number[] = [];

  for (const item of batch.toSorted((one, other) => one.id - other.id)) {
    const person = answers.get(item.number);
    if (!person) {
      continue;
    }
    const number = person.phone ?? item.number;
    const match = matchNumber(number);
    if (numbers.has(match) || (person.lid !== null && lids.has(person.lid))) {
      duplicates.push(item.id);
      continue;
    }
    const isFree = (held.get(match) ?? item.id) === item.id;
    const spelled = isFree ? { number, matchNumber: match } : { number: item.number, matchNumber: item.matchNumber };
    valid.push({ id: item.id, ...spelled, lid: person.lid });
    numbers.add(match);
    if (person.lid !== null) {
      lids.add(person.lid);
    }
  }
  const invalid = batch.filter(({ number }) => !answers.has(number)).map(({ id }) => id);
  return { valid, invalid, duplicates };
}

import type { KeyboardEvent } from "react";

type Step = 1 | -1;
const alongLane: Readonly<Record<string, Step>> = { ArrowUp: -1, ArrowDown: 1 };
const acrossLanes: Readonly<Record<string, Step>> = { ArrowLeft: -1, ArrowRight: 1 };

/**
 * Arrows go from card to card: up and down in a lane, left and right to the card at the same height of the next lane that
 * has one. Tab alone would stop at each of thousands of cards before it reached the second lane.
 */
export function focusNextCard(event: KeyboardEvent<HTMLElement>): void {
  const board = event.currentTarget;
  const handle = event.target as HTMLElement;
  const lane = handle.closest<HTMLElement>("[data-lane]");
  const isFree = !event.altKey && !event.ctrlKey && !event.metaKey;
  if (!isFree || !lane || handle.dataset["handle"] === undefined) {
    return;
  }
  const [along, across] = [alongLane[event.key], acrossLanes[event.key]];
  if (along !== undefined) {
    event.preventDefault();
    const cards = cardsOf(lane);
    cards[cards.indexOf(handle) + along]?.focus();
  } else if (across !== undefined) {
    event.preventDefault();
    const next = cardBeside(handle, lane, [...board.querySelectorAll<HTMLElement>("[data-lane]")], across);
    if (next) {
      next.focus();
    } else {
      // empty lanes have nothing to focus, and those beyond them are fetched when they come near
      board.scrollBy({ left: across * lane.offsetWidth });
    }
  }
}

/** While a card is in the hand a letter would resolve or transfer the conversation beside the board. */
export function keepLetters(event: KeyboardEvent<HTMLElement>): void {
  if (event.key.length === 1 && event.key !== " ") {
    event.stopPropagation();
  }
}

function cardBeside(
  handle: HTMLElement,
  lane: HTMLElement,
  lanes: readonly HTMLElement[],
  step: Step,
): HTMLElement | undefined {
  const top = handle.getBoundingClientRect().top;
  for (let at = lanes.indexOf(lane) + step; lanes[at]; at += step) {
    const cards = cardsOf(lanes[at]!).map((card) => ({ card, away: Math.abs(card.getBoundingClientRect().top - top) }));
    if (cards.length > 0) {
      return cards.toSorted((one, other) => one.away - other.away)[0]?.card;
    }
  }
  return undefined;
}

function cardsOf(lane: HTMLElement): HTMLElement[] {
  return [...lane.querySelectorAll<HTMLElement>("[data-handle]")];
}

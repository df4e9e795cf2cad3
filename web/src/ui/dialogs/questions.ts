/** What `confirm` asks, and which dialog shows it: the topmost, so that the question is nested in it. */
import { useId, useLayoutEffect, useSyncExternalStore, type ReactNode } from "react";

export interface ConfirmOptions {
  /** "Excluir a fila Vendas?" */
  readonly title: string;
  /** The consequences, with the names of what is affected. */
  readonly text: ReactNode;
  /** The label of the button, a verb: "Excluir". Never "OK". */
  readonly verb: string;
  readonly isDangerous?: boolean;
  /** Runs before the dialog closes; an error is shown as a toast and the dialog stays open. */
  readonly run?: () => Promise<unknown>;
}

export interface PendingConfirm extends ConfirmOptions {
  readonly id: number;
  readonly answer: (isYes: boolean) => void;
}

let asked: PendingConfirm | undefined;
let count = 0;
/** The open dialogs, the topmost last: it shows the question. */
let places: readonly string[] = [];
const listeners = new Set<() => void>();

/**
 * Asks for confirmation of what cannot be undone: `if (await confirm({ title, text, verb, isDangerous: true })) …`. A question that
 * is still open is answered with no.
 */
export function confirm(question: ConfirmOptions): Promise<boolean> {
  count += 1;
  const id = count;
  return new Promise((resolve) => {
    const answer = (isYes: boolean) => {
      // a second answer must not take a later question away
      if (asked?.id === id) {
        asked = undefined;
        tell();
      }
      resolve(isYes);
    };
    asked?.answer(false);
    asked = { ...question, id, answer };
    tell();
  });
}

/**
 * What is open on top: a question, the name of a dialog, or nothing. Where that is another one than before a wait, a question would come
 * under the pointer of who is busy with something else.
 */
export function onTop(): PendingConfirm | string | undefined {
  return asked ?? places.at(-1);
}

/** The question, if it was asked while no dialog is open. */
export function useQuestionOverPage(): PendingConfirm | undefined {
  return useSyncExternalStore(subscribe, () => (places.length === 0 ? asked : undefined));
}

/** The question, if the calling dialog is the topmost. */
export function useQuestionHere(): PendingConfirm | undefined {
  const place = useId();
  useLayoutEffect(() => {
    places = [...places, place];
    tell();
    return () => {
      places = places.filter((other) => other !== place);
      tell();
    };
  }, [place]);
  return useSyncExternalStore(subscribe, () => (places.at(-1) === place ? asked : undefined));
}

function tell(): void {
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

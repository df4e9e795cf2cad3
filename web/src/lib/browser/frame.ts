/** What the open screen asks of the frame around it: room beside the menu, or a phone's whole screen. */
import { useLayoutEffect, useSyncExternalStore } from "react";

export interface FrameWish {
  /** Width in px that the screen needs beside the menu; 0 if any will do. */
  readonly minWidth?: number;
  /** A phone shows only this: no app bar, no tabs. */
  readonly isAlone?: boolean;
}

export interface FrameWishes {
  readonly minWidth: number;
  readonly isAlone: boolean;
}

const wishes = new Set<FrameWish>();
const listeners = new Set<() => void>();
let sum: FrameWishes = { minWidth: 0, isAlone: false };

/** Asks while the component is shown. The widest of several wishes counts. */
export function useFrameWish({ minWidth = 0, isAlone = false }: FrameWish): void {
  useLayoutEffect(() => {
    const wish = { minWidth, isAlone };
    wishes.add(wish);
    update();
    return () => {
      wishes.delete(wish);
      update();
    };
  }, [minWidth, isAlone]);
}

/** For the shell: what is asked of it now. */
export function useFrameWishes(): FrameWishes {
  return useSyncExternalStore(subscribe, () => sum);
}

function update(): void {
  const next = {
    minWidth: Math.max(0, ...[...wishes].map((wish) => wish.minWidth ?? 0)),
    isAlone: [...wishes].some((wish) => wish.isAlone),
  };
  if (next.minWidth !== sum.minWidth || next.isAlone !== sum.isAlone) {
    sum = next;
    listeners.forEach((listener) => listener());
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

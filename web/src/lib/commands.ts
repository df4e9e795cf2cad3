/** Actions of the screen at hand, for the command palette: a screen offers them while it is shown. */
import { useEffect, useRef, useSyncExternalStore } from "react";

export interface ScreenCommand {
  readonly key: string;
  readonly label: string;
  readonly shortcut?: string;
  readonly run: () => void;
}

let offered: readonly ScreenCommand[] = [];
const listeners = new Set<() => void>();

/** Offers these while the component is shown. A change of the labels or keys is noticed, one of `run` needs no notice. */
export function useOfferCommands(commands: readonly ScreenCommand[]): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  const signature = JSON.stringify(commands.map(({ key, label, shortcut }) => [key, label, shortcut]));
  useEffect(() => {
    const mine = latest.current.map((command) => ({
      ...command,
      run: () => latest.current.find(({ key }) => key === command.key)?.run(),
    }));
    set([...offered, ...mine]);
    return () => set(offered.filter((command) => !mine.includes(command)));
  }, [signature]);
}

export function useCommands(): readonly ScreenCommand[] {
  return useSyncExternalStore(subscribe, () => offered);
}

function set(next: readonly ScreenCommand[]): void {
  offered = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

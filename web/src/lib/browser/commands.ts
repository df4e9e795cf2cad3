/** Actions of the current screen in the command palette: a screen registers them while it is shown. */
import { useEffect, useRef, useSyncExternalStore } from "react";

export interface ScreenCommand {
  readonly key: string;
  readonly label: string;
  readonly shortcut?: string;
  readonly run: () => void;
}

let offered: readonly ScreenCommand[] = [];
const listeners = new Set<() => void>();

/** Registers commands while the component is mounted; updates when labels or keys change. `run` is always the current one. */
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

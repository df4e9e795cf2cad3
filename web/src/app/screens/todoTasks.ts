/** What is in the local task list (S-09)? The storage key `tasks` holds an array of texts. */
import { useSyncExternalStore } from "react";
import { writeStored, readStored } from "#web/lib/session/storage.ts";

/** Parses the stored list; anything but a list of texts is an empty one. Pure. */
export function parseTasks(stored: string | undefined): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(parsed) ? parsed.filter((task): task is string => typeof task === "string") : [];
  } catch {
    return [];
  }
}

/** Blank input is ignored. Pure. */
export function addTask(tasks: readonly string[], text: string): readonly string[] {
  const task = text.trim();
  return task === "" ? tasks : [...tasks, task];
}

/** A task that is changed to blank text stays as it was. Pure. */
export function changeTask(tasks: readonly string[], at: number, text: string): readonly string[] {
  const task = text.trim();
  return task === "" ? tasks : tasks.map((other, index) => (index === at ? task : other));
}

export function removeTask(tasks: readonly string[], at: number): readonly string[] {
  return tasks.filter((_, index) => index !== at);
}

/** The tasks of this browser, other tabs included. */
export function useTasks(): readonly string[] {
  return useSyncExternalStore(subscribe, currentTasks);
}

export function setTasks(tasks: readonly string[]): void {
  writeStored("tasks", JSON.stringify(tasks));
  listeners.forEach((listener) => listener());
}

let known: { readonly stored: string | undefined; readonly tasks: readonly string[] } = { stored: "", tasks: [] };
const listeners = new Set<() => void>();

/** The parsed tasks of the last stored text: the same array as long as it does not change, as useSyncExternalStore requires. */
function currentTasks(): readonly string[] {
  const stored = readStored("tasks");
  if (stored !== known.stored) {
    known = { stored, tasks: parseTasks(stored) };
  }
  return known.tasks;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

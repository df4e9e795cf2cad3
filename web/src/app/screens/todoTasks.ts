/**
 * What is in the local task lists (S-09)? The storage key `prosa.tasks` holds an array of texts for each user: several people
 * may share a browser. The specification's key `tasks`, one list for all of them, is only read to move it.
 */
import { useSyncExternalStore } from "react";
import { readStored, removeStored, writeStored } from "#web/lib/session/storage.ts";

/** Parses the stored list; anything but a list of texts is an empty one. Pure. */
export function parseTasks(stored: string | undefined): readonly string[] {
  try {
    return textsOf(JSON.parse(stored ?? "[]"));
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

/** Puts a task back at its place; behind the last one, where fewer are left. Pure. */
export function insertTask(tasks: readonly string[], at: number, task: string): readonly string[] {
  return tasks.toSpliced(at, 0, task);
}

/** The lists of all users of this browser, by user id; anything else is none. Pure. */
export function parseLists(stored: string | undefined): Readonly<Record<string, readonly string[]>> {
  try {
    const parsed: unknown = JSON.parse(stored ?? "{}");
    const lists = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? Object.entries(parsed) : [];
    return Object.fromEntries(lists.map(([userId, list]) => [userId, textsOf(list)]));
  } catch {
    return {};
  }
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((task): task is string => typeof task === "string") : [];
}

/** The tasks of a user in this browser, other tabs included. */
export function useTasks(userId: number): readonly string[] {
  return useSyncExternalStore(subscribe, () => currentLists()[userId] ?? none);
}

/** Changes a user's tasks as they are stored now: what was written since a list was shown, in another tab too, stays. */
export function updateTasks(userId: number, change: (tasks: readonly string[]) => readonly string[]): void {
  const lists = currentLists();
  writeStored("prosa.tasks", JSON.stringify({ ...lists, [userId]: change(lists[userId] ?? none) }));
  listeners.forEach((listener) => listener());
}

/** Moves the list that was kept by browser to this user: behind their own one, if both have something. */
export function adoptTasks(userId: number): void {
  const earlier = parseTasks(readStored("tasks"));
  removeStored("tasks");
  if (earlier.length > 0) {
    updateTasks(userId, (tasks) => [...tasks, ...earlier]);
  }
}

const none: readonly string[] = [];
let known: { readonly stored: string | undefined; readonly lists: ReturnType<typeof parseLists> } | undefined;
const listeners = new Set<() => void>();

/** The parsed lists of the last stored text: the same arrays as long as it does not change, as useSyncExternalStore requires. */
function currentLists(): ReturnType<typeof parseLists> {
  const stored = readStored("prosa.tasks");
  if (known?.stored !== stored || known === undefined) {
    known = { stored, lists: parseLists(stored) };
  }
  return known.lists;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

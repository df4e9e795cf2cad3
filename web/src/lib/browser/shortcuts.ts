import type { KeyOwner } from "./key-owner.ts";

/** All keyboard shortcuts: screens listen to these, buttons show them, the help sheet lists them. */
export const shortcuts = {
  commands: "mod+k",
  help: "?",
  search: "/",
  undo: "mod+z",
  next: "j",
  previous: "k",
  choose: "x",
  accept: "a",
  return: "r",
  transfer: "t",
  resolve: "e",
  reopen: "a",
  tags: "g",
  note: "n",
} as const;

export type ShortcutName = keyof typeof shortcuts;
export type Combination = (typeof shortcuts)[ShortcutName];

/** Keys of text fields, for the help sheet. */
export const fieldKeys = { send: "enter", newLine: "shift+enter", cancel: "escape" } as const;

/** Groups of the help sheet. One key may have two actions that are never available together. */
export const shortcutGroups = [
  { group: "everywhere", names: ["commands", "help", "search", "undo"] },
  { group: "list", names: ["next", "previous", "choose"] },
  { group: "conversation", names: ["accept", "return", "transfer", "resolve", "reopen", "tags", "note"] },
] as const satisfies readonly { readonly group: string; readonly names: readonly ShortcutName[] }[];

/** Change the conversation: a letter meant for a text must not start them, so they need the focus in the list. */
const ofConversation: ReadonlySet<string> = new Set(shortcutGroups[2].names.map((name) => shortcuts[name]));
const ofList: ReadonlySet<string> = new Set(shortcutGroups[1].names.map((name) => shortcuts[name]));

/** Pure: is the combination a command where the key was pressed, rather than text or a key of something else? */
export function isCommand(combination: Combination, owner: KeyOwner): boolean {
  if (combination === shortcuts.undo) {
    // in a field it undoes what was typed
    return owner !== "field" && owner !== "popup";
  }
  if (combination.startsWith("mod+")) {
    return true;
  }
  if (ofConversation.has(combination)) {
    return owner === "list";
  }
  return owner === "list" || owner === "page" || (owner === "board" && !ofList.has(combination));
}

/** All keyboard shortcuts: screens listen to these, buttons show them, the help sheet lists them. */
export const shortcuts = {
  commands: "mod+k",
  help: "?",
  search: "/",
  next: "j",
  previous: "k",
  choose: "x",
  accept: "a",
  return: "r",
  transfer: "t",
  resolve: "e",
  reopen: "a",
} as const;

export type ShortcutName = keyof typeof shortcuts;
export type Combination = (typeof shortcuts)[ShortcutName];

/** Keys of text fields, for the help sheet. */
export const fieldKeys = { send: "enter", newLine: "shift+enter", cancel: "escape" } as const;

/** Groups of the help sheet. One key may have two actions that are never available together. */
export const shortcutGroups = [
  { group: "everywhere", names: ["commands", "help", "search"] },
  { group: "list", names: ["next", "previous", "choose"] },
  { group: "conversation", names: ["accept", "return", "transfer", "resolve", "reopen"] },
] as const satisfies readonly { readonly group: string; readonly names: readonly ShortcutName[] }[];

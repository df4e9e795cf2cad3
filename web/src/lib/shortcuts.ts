/** Every key that does something, once: screens listen to these, buttons show them, the help sheet lists them. */
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

/** What a field answers to by itself, for the help sheet. */
export const fieldKeys = { send: "enter", newLine: "shift+enter", cancel: "escape" } as const;

/** The help sheet: groups as people meet them. One key may stand for two verbs that never meet. */
export const shortcutGroups = [
  { group: "everywhere", names: ["commands", "help", "search"] },
  { group: "list", names: ["next", "previous", "choose"] },
  { group: "conversation", names: ["accept", "return", "transfer", "resolve", "reopen"] },
] as const satisfies readonly { readonly group: string; readonly names: readonly ShortcutName[] }[];

/** Invisible characters: spaces, controls, joiners and fillers. A text of only these looks empty on every phone. */
const unseenOnly = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** True for a text without visible characters. Such a text is never sent (behaviour 5). */
export function isBlank(text: string): boolean {
  return unseenOnly.test(text);
}

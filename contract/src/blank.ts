/** Letters that nobody sees: spaces, controls, joiners and fillers. A text of these alone is empty on every phone. */
const unseenOnly = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Is there nothing to read? An empty text is never sent (behaviour 5). */
export function isBlank(text: string): boolean {
  return unseenOnly.test(text);
}

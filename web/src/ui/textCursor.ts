/** Inserts text at the cursor, replacing the selection, as if it were typed. The cursor moves behind it. */
export function insertAtCursor(field: HTMLTextAreaElement | HTMLInputElement, text: string): void {
  field.focus();
  field.setRangeText(text, field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

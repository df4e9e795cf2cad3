type TextControl = HTMLTextAreaElement | HTMLInputElement;

/** Inserts text at the cursor, replacing the selection, as if it were typed. The cursor moves behind it. */
export function insertAtCursor(field: TextControl, text: string): void {
  write(field, text, field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length);
}

/** Replaces every occurrence, as if it were typed. */
export function replaceInField(field: TextControl, search: string, replacement: string): void {
  write(field, field.value.replaceAll(search, replacement), 0, field.value.length);
}

function write(field: TextControl, text: string, start: number, end: number): void {
  field.focus();
  field.setRangeText(text, start, end, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

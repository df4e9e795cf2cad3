/** Puts text where the cursor stands, in place of what is selected, as if it had been typed; the cursor goes behind it. */
export function insertAtCursor(field: HTMLTextAreaElement | HTMLInputElement, text: string): void {
  field.focus();
  field.setRangeText(text, field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** The unsent text of each conversation, in localStorage: it survives switching, a reload and a crash of the browser. */
const prefix = "prosa.draft.";

export function loadDraft(ticketId: number): string {
  try {
    return localStorage.getItem(`${prefix}${ticketId}`) ?? "";
  } catch {
    return "";
  }
}

/** An empty text deletes the draft. */
export function saveDraft(ticketId: number, text: string): void {
  try {
    if (text === "") {
      localStorage.removeItem(`${prefix}${ticketId}`);
    } else {
      localStorage.setItem(`${prefix}${ticketId}`, text);
    }
  } catch {
    // full or forbidden: the draft lives as long as the tab
  }
}

/** The unsent text of each conversation: survives switching, reload and a crash of the browser. */
const prefix = "prosa.draft.";

export function draftOf(ticketId: number): string {
  try {
    return localStorage.getItem(`${prefix}${ticketId}`) ?? "";
  } catch {
    return "";
  }
}

export function keepDraft(ticketId: number, text: string): void {
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

import { matchesMedia } from "#web/lib/browser/hooks.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { toast } from "./Toast.tsx";

/**
 * Copies a text and says `copied`. The clipboard API is there only where the page came over HTTPS or from this machine, and may be
 * refused: then by the older command, and where that fails too, what `shown` shows is selected, and a toast says how to go on.
 * Resolves to whether it was copied.
 */
export function useCopy(): (text: string, copied: string, shown?: HTMLElement | null) => Promise<boolean> {
  const t = useMessages(messages);
  return async (text, copied, shown) => {
    if ((await writeToClipboard(text)) || copyBySelection(text)) {
      toast.success(copied);
      return true;
    }
    if (shown) {
      selectText(shown);
      toast.info(t(matchesMedia("(hover: hover)") ? "selected" : "selectedByTouch"));
    } else {
      toast.error(t("refused"));
    }
    return false;
  };
}

async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Selects a copy of the text out of sight; what was selected before is so again. */
function copyBySelection(text: string): boolean {
  const selection = getSelection();
  const before = selection?.rangeCount ? selection.getRangeAt(0) : undefined;
  const copy = document.createElement("pre");
  copy.textContent = text;
  copy.ariaHidden = "true";
  copy.style.cssText = "position: fixed; top: 0; clip-path: inset(50%); user-select: text";
  document.body.append(copy);
  selection?.selectAllChildren(copy);
  // Without the formats of the page it is pasted as plain text everywhere.
  const asPlainText = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData("text/plain", text);
  };
  document.addEventListener("copy", asPlainText, true);
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    document.removeEventListener("copy", asPlainText, true);
    copy.remove();
    selection?.removeAllRanges();
    if (before) {
      selection?.addRange(before);
    }
  }
}

function selectText(shown: HTMLElement): void {
  if (shown instanceof HTMLInputElement || shown instanceof HTMLTextAreaElement) {
    shown.focus();
    shown.select();
  } else {
    getSelection()?.selectAllChildren(shown);
  }
}

const messages = defineMessages({
  pt: {
    selected: "O texto está selecionado: copie com Ctrl+C.",
    selectedByTouch: "O texto está selecionado: toque nele e copie.",
    refused: "O navegador não permitiu copiar.",
  },
  en: {
    selected: "The text is selected: copy it with Ctrl+C.",
    selectedByTouch: "The text is selected: tap it and copy.",
    refused: "The browser did not allow copying.",
  },
  es: {
    selected: "El texto está seleccionado: cópielo con Ctrl+C.",
    selectedByTouch: "El texto está seleccionado: tóquelo y copie.",
    refused: "El navegador no permitió copiar.",
  },
});

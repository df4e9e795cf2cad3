import type { QuickMessage } from "@prosa/contract/quick-messages";
import { useQuery } from "@tanstack/react-query";
import { useState, type KeyboardEvent } from "react";
import { sendableOptions } from "./sendable.ts";
import { suggestionsFor } from "./suggestions.ts";

/**
 * Suggestions while the text begins with "/" (M-12). Give `onKeyDown` every key first: arrows move, Enter and Tab choose,
 * Escape puts them away; true means that the key is used up.
 */
export function useQuickReplies(text: string, isOn: boolean, onChoose: (one: QuickMessage) => void) {
  const isAsking = isOn && text.startsWith("/");
  const { data: all = [], isLoading } = useQuery({ ...sendableOptions, enabled: isAsking });
  const [at, setAt] = useState({ text: "", index: 0 });
  const [dismissed, setDismissed] = useState<string>();
  const found = isAsking && dismissed !== text ? suggestionsFor(text, all) : [];
  // Another text begins at the top again.
  const index = at.text === text ? Math.min(at.index, found.length - 1) : 0;
  const move = (to: number) => setAt({ text, index: (to + found.length) % found.length });

  const onKeyDown = (event: KeyboardEvent): boolean => {
    // A hand that is faster than the server means a reply: its shortcut is nothing to send to a customer.
    if (isLoading && event.key === "Enter" && !event.shiftKey && dismissed !== text && /^\/\S+$/u.test(text)) {
      event.preventDefault();
      event.stopPropagation();
      return true;
    }
    const chosen = found[index];
    if (!chosen || event.nativeEvent.isComposing) {
      return false;
    }
    switch (event.key) {
      case "ArrowDown":
        move(index + 1);
        break;
      case "ArrowUp":
        move(index - 1);
        break;
      case "Enter":
      case "Tab":
        if (event.shiftKey) {
          return false;
        }
        onChoose(chosen);
        break;
      case "Escape":
        setDismissed(text);
        break;
      default:
        return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { found, index, move, onKeyDown };
}

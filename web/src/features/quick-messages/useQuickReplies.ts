import type { QuickMessage } from "@prosa/contract/quick-messages";
import { useQuery } from "@tanstack/react-query";
import { useState, type KeyboardEvent } from "react";
import { quickRepliesOptions } from "./quick-replies.api.ts";
import { suggestionsFor } from "./suggestions.ts";

/**
 * Suggestions while the text begins with "/" (M-12). Call `onKeyDown` before other key handlers: arrows move, Enter and Tab
 * choose, Escape closes; it returns true when it handled the key.
 */
export function useQuickReplies(text: string, isOn: boolean, onChoose: (one: QuickMessage) => void) {
  const isSearching = isOn && text.startsWith("/");
  const { data: all = [], isLoading } = useQuery({ ...quickRepliesOptions, enabled: isSearching });
  const [highlighted, setHighlighted] = useState({ text: "", index: 0 });
  const [dismissed, setDismissed] = useState<string>();
  const found = isSearching && dismissed !== text ? suggestionsFor(text, all) : [];
  // Another text highlights the first suggestion again.
  const index = highlighted.text === text ? Math.min(highlighted.index, found.length - 1) : 0;
  const move = (to: number) => setHighlighted({ text, index: (to + found.length) % found.length });

  const onKeyDown = (event: KeyboardEvent): boolean => {
    // Enter before the suggestions are loaded: the "/shortcut" must not be sent to the customer.
    if (isLoading && event.key === "Enter" && !event.shiftKey && dismissed !== text && /^\/\S+$/u.test(text)) {
      event.preventDefault();
      event.stopPropagation();
      return true;
    }
    const chosen = found[index];
    if (!chosen || event.nativeEvent.isComposing || (event.key === "Enter" && event.repeat)) {
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

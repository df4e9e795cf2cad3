import type { QuickMessage } from "@prosa/contract/quick-messages";
import { useQuery } from "@tanstack/react-query";
import { useState, type KeyboardEvent } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { toast } from "#web/ui/Toast.tsx";
import { quickRepliesOptions } from "./quick-replies.api.ts";
import { quickReplyMessages } from "./quick-replies.i18n.ts";
import { suggestionsFor } from "./suggestions.ts";

/**
 * Suggestions while the text begins with "/" (M-12). Call `onKeyDown` before other key handlers: arrows move, Enter and Tab
 * choose, Escape closes; it returns true when it handled the key. While the suggestions are not known, Enter does not send what
 * may be a shortcut; after Escape it does. Call `takeOver` before a button sends, for which the same holds.
 */
export function useQuickReplies(text: string, isOn: boolean, onChoose: (one: QuickMessage) => void) {
  const isSearching = isOn && text.startsWith("/");
  const t = useMessages(quickReplyMessages);
  const { data: all, isFetching, isError, refetch } = useQuery({ ...quickRepliesOptions, enabled: isSearching });
  const [highlighted, setHighlighted] = useState({ text: "", index: 0 });
  const [dismissed, setDismissed] = useState<string>();
  const found = isSearching && dismissed !== text ? suggestionsFor(text, all ?? []) : [];
  // Another text highlights the first suggestion again.
  const index = highlighted.text === text ? Math.min(highlighted.index, found.length - 1) : 0;
  const move = (to: number) => setHighlighted({ text, index: (to + found.length) % found.length });

  // Not only while they are being fetched: without a network the query waits, and it may have failed.
  const mayBeShortcut = isSearching && all === undefined && dismissed !== text && /^\/\S+$/u.test(text);
  /** True where the text is a search for a quick reply and not what is to be sent: the highlighted one is chosen, or awaited. */
  const takeOver = (): boolean => {
    const chosen = found[index];
    if (chosen) {
      onChoose(chosen);
    } else if (mayBeShortcut) {
      if (!isFetching) {
        toast.error(t("notLoaded"));
      }
      if (isError) {
        void refetch({ cancelRefetch: false });
      }
    }
    return chosen !== undefined || mayBeShortcut;
  };

  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (mayBeShortcut && (event.key === "Escape" || (event.key === "Enter" && !event.shiftKey))) {
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Escape") {
        setDismissed(text);
      } else {
        takeOver();
      }
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
  return { found, index, move, takeOver, onKeyDown };
}

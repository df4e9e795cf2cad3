import type { QuickMessage } from "@prosa/contract/quick-messages";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState, type KeyboardEvent } from "react";
import { hasHardwareKeyboard } from "#web/lib/browser/hardware-keyboard.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { toast } from "#web/ui/Toast.tsx";
import { quickRepliesOptions } from "./quick-replies.api.ts";
import { quickReplyMessages } from "./quick-replies.i18n.ts";
import { isSecondPress, type Told } from "./second-press.ts";
import { suggestionsFor } from "./suggestions.ts";

/**
 * Suggestions while the text begins with "/" (M-12). Call `onKeyDown` before other key handlers: arrows move, Enter and Tab
 * choose, Escape closes; it returns true when it handled the key. While the suggestions are not known, Enter does not send what
 * may be a shortcut; after Escape it does, and without a keyboard at the second press. Call `takeOver` before a button sends, for
 * which the same holds, and `dismiss` to close the suggestions without a key.
 */
export function useQuickReplies(text: string, isOn: boolean, onChoose: (one: QuickMessage) => void) {
  const isSearching = isOn && text.startsWith("/");
  const t = useMessages(quickReplyMessages);
  const { data: all, isError, refetch } = useQuery({ ...quickRepliesOptions, enabled: isSearching });
  const [highlighted, setHighlighted] = useState({ text: "", index: 0 });
  const [dismissed, setDismissed] = useState<string>();
  const told = useRef<Told>(undefined);
  const dismiss = () => setDismissed(text);
  // Written anew later, the same letters are a search again.
  if (dismissed !== undefined && dismissed !== text) {
    setDismissed(undefined);
  }
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
      return true;
    }
    if (!mayBeShortcut) {
      return false;
    }
    const hasKeys = hasHardwareKeyboard();
    const now = Date.now();
    if (!hasKeys && isSecondPress(told.current, text, now)) {
      told.current = undefined;
      return false;
    }
    told.current = { text, at: now };
    toast.error(t(hasKeys ? "notLoaded" : "notLoadedTouch"));
    if (isError) {
      void refetch({ cancelRefetch: false });
    }
    return true;
  };

  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (mayBeShortcut && (event.key === "Escape" || (event.key === "Enter" && !event.shiftKey))) {
      if (event.key === "Escape") {
        dismiss();
      } else if (!takeOver()) {
        return false;
      }
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
        dismiss();
        break;
      default:
        return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { found, index, move, takeOver, dismiss, onKeyDown };
}

/**
 * Which conversation is on the screen? The address does not say: in a narrow window another tab may lie over the pane, and the kanban
 * has an address of its own.
 */
import { useEffect } from "react";

const shown = new Set<string>();

/** Has the ticket or chat with this uuid count as shown while the component is mounted. */
export function useShownConversation(uuid: string): void {
  useEffect(() => {
    shown.add(uuid);
    return () => void shown.delete(uuid);
  }, [uuid]);
}

/** Whether the ticket or chat with this uuid is shown, in a visible tab. */
export function isConversationVisible(uuid: string): boolean {
  return shown.has(uuid) && document.visibilityState === "visible";
}

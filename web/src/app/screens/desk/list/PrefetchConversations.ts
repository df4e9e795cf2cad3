import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { prefetchMessages } from "#web/features/messages/index.ts";
import { whenIdle } from "#web/lib/browser/idle.ts";

/** A mouse that rests so long on a row is about to open it, in ms. */
const HOVER_MS = 150;
/** How many rows after the open one are fetched ahead. */
const AHEAD = 3;

/** Mounted beside a list: fetches the messages of the row under the mouse, and of the next rows. */
export function PrefetchConversations({ activeUuid }: { readonly activeUuid: string | undefined }): null {
  const queryClient = useQueryClient();

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onOver = ({ target, pointerType }: PointerEvent) => {
      clearTimeout(timer);
      const id =
        pointerType === "mouse" && target instanceof Element ? idOf(target.closest("[data-ticket]")) : undefined;
      if (id !== undefined) {
        timer = setTimeout(() => prefetch(queryClient, id), HOVER_MS);
      }
    };
    document.addEventListener("pointerover", onOver);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointerover", onOver);
    };
  }, [queryClient]);

  useEffect(() => {
    if (activeUuid !== undefined) {
      whenIdle(() => nextRows().forEach((id) => prefetch(queryClient, id)));
    }
  }, [activeUuid, queryClient]);
  return null;
}

function nextRows(): readonly number[] {
  const rows = [...document.querySelectorAll("[data-testid=ticket-list] [data-ticket]")];
  const active = rows.findIndex((row) => row.querySelector("[aria-current]"));
  return active === -1
    ? []
    : rows
        .slice(active + 1, active + 1 + AHEAD)
        .map(idOf)
        .filter((id) => id !== undefined);
}

function idOf(row: Element | null): number | undefined {
  const id = Number(row?.getAttribute("data-ticket") ?? NaN);
  return Number.isInteger(id) ? id : undefined;
}

function prefetch(queryClient: QueryClient, ticketId: number): void {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  if (!connection?.saveData) {
    void prefetchMessages(queryClient, ticketId);
  }
}

import type { TicketStatus } from "@prosa/contract/tickets";
import { useMemo, useState } from "react";
import type { TicketList } from "#web/features/tickets/index.ts";
import { useSearch } from "#web/lib/hooks.ts";
import { useCan } from "#web/lib/permissions.ts";

export type DeskTab = "open" | "closed" | "search";
export type OpenTab = "open" | "pending";

/** Which list the desk shows: its tab, sub-tab and filters (T-02, T-03, T-06). */
export function useDeskList() {
  const holdsShowAll = useCan("tickets-manager:showall");
  const [tab, setTab] = useState<DeskTab>("open");
  const [openTab, setOpenTab] = useState<OpenTab>("open");
  // "initially on for admins" (specification 1, section 6)
  const [showAll, setShowAll] = useState(holdsShowAll);
  const [queueIds, setQueueIds] = useState<readonly number[]>([]);
  const search = useSearch();

  const status: TicketStatus | "" = tab === "open" ? openTab : tab === "closed" ? "closed" : "";
  const searchParam = tab === "search" ? search.asked : "";
  const list: TicketList = useMemo(
    () => ({
      status,
      searchParam,
      showAll: showAll && holdsShowAll,
      queueIds,
      tags: [],
      users: [],
      withUnreadMessages: false,
    }),
    [status, searchParam, showAll, holdsShowAll, queueIds],
  );

  return { tab, setTab, openTab, setOpenTab, showAll, setShowAll, holdsShowAll, queueIds, setQueueIds, search, list };
}

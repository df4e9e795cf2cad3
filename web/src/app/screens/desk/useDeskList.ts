import type { TicketStatus } from "@prosa/contract/tickets";
import { useMemo, useState } from "react";
import type { TicketList } from "#web/features/tickets/index.ts";
import { useSearch } from "#web/lib/browser/hooks.ts";
import { isAdmin, useCan } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";

export type DeskTab = "open" | "closed" | "search";
export type OpenTab = "open" | "pending";

/** `/tickets?tag=3`: a link to the conversations of a tag (O-04). */
function tagsOfAddress(): number[] {
  return new URLSearchParams(location.search).getAll("tag").map(Number).filter(Boolean);
}

/** State of the desk's tabs and filters, and the list query that they make (T-02, T-03, T-06). */
export function useDeskList() {
  const holdsShowAll = useCan("tickets-manager:showall");
  const [tags, setTags] = useState<readonly number[]>(tagsOfAddress);
  const [tab, setTab] = useState<DeskTab>(tags.length > 0 ? "search" : "open");
  const [openTab, setOpenTab] = useState<OpenTab>("open");
  // "initially on for admins" (specification 1, section 6)
  const [showAll, setShowAll] = useState(holdsShowAll);
  const [queueIds, setQueueIds] = useState<readonly number[]>([]);
  const [users, setUsers] = useState<readonly number[]>([]);
  // T-03: the user filter is for admins
  const mayFilterUsers = isAdmin(useUser());
  const search = useSearch();

  const status: TicketStatus | "" = tab === "open" ? openTab : tab === "closed" ? "closed" : "";
  const isSearch = tab === "search";
  const searchParam = isSearch ? search.asked : "";
  const list: TicketList = useMemo(
    () => ({
      status,
      searchParam,
      showAll: showAll && holdsShowAll,
      queueIds,
      tags: isSearch ? tags : [],
      users: isSearch && mayFilterUsers ? users : [],
      withUnreadMessages: false,
    }),
    [status, isSearch, searchParam, showAll, holdsShowAll, queueIds, tags, users, mayFilterUsers],
  );

  return {
    tab,
    setTab,
    openTab,
    setOpenTab,
    showAll,
    setShowAll,
    holdsShowAll,
    queueIds,
    setQueueIds,
    search,
    tags,
    setTags,
    users,
    setUsers,
    mayFilterUsers,
    /** The search tab without text and filters: nothing is fetched. */
    isSearchEmpty: isSearch && searchParam === "" && tags.length === 0 && users.length === 0,
    list,
  };
}

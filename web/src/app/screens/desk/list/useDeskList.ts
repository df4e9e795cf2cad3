import type { TicketStatus } from "@prosa/contract/tickets";
import { useEffect, useMemo, useState } from "react";
import type { TicketList } from "#web/features/tickets/index.ts";
import { useSearch } from "#web/lib/browser/hooks.ts";
import { isAdmin, useCan } from "#web/lib/session/permissions.ts";
import { onSignedOut, useUser } from "#web/lib/session/session.ts";
import { createDeskMemory, type DeskState } from "./desk-memory.ts";
import { useQueueFilter } from "./queue-choice.ts";

/** `/tickets?tag=3`: a link to the conversations of a tag (O-04). */
function tagsOfAddress(): number[] {
  return new URLSearchParams(location.search).getAll("tag").map(Number).filter(Boolean);
}

/** The desk's memory of this browser. */
const memory = createDeskMemory({ session: () => sessionStorage, local: () => localStorage });
onSignedOut(() => memory.endSession());

const mountedLists = new Set<() => void>();

/** The user has accepted a conversation: the list of those who wait gives way to the one where it is now. */
export function followAccepted(userId: number): void {
  memory.showServing(userId);
  mountedLists.forEach((showServing) => showServing());
}

/** What a link of a tag shows, else what the user last saw. */
function startState(userId: number, holdsShowAll: boolean): DeskState {
  const tags = tagsOfAddress();
  const kept = memory.read(userId, {
    tab: "open",
    openTab: "open",
    waitingOrder: "waiting",
    // "initially on for admins" (specification 1, section 6)
    showAll: holdsShowAll,
    queueIds: [],
    tags: [],
    users: [],
    text: "",
  });
  return tags.length > 0 ? { ...kept, tab: "search", tags, users: [], text: "" } : kept;
}

/** State of the desk's tabs and filters, kept for the next visit, and the list query that they make (T-02, T-03, T-06). */
export function useDeskList() {
  const user = useUser();
  const holdsShowAll = useCan("tickets-manager:showall");
  const [start] = useState(() => startState(user.id, holdsShowAll));
  const [tab, setTab] = useState(start.tab);
  const [openTab, setOpenTab] = useState(start.openTab);
  const [waitingOrder, setWaitingOrder] = useState(start.waitingOrder);
  const [showAll, setShowAll] = useState(start.showAll);
  const [queueIds, setQueueIds] = useQueueFilter(start.queueIds);
  const [tags, setTags] = useState(start.tags);
  const [users, setUsers] = useState(start.users);
  // T-03: the user filter is for admins
  const mayFilterUsers = isAdmin(user);
  const search = useSearch(start.text);
  const { text } = search;
  useEffect(
    () => memory.write(user.id, { tab, openTab, waitingOrder, showAll, queueIds, tags, users, text }),
    [user.id, tab, openTab, waitingOrder, showAll, queueIds, tags, users, text],
  );

  useEffect(() => {
    const showServing = () => setOpenTab("open");
    mountedLists.add(showServing);
    return () => void mountedLists.delete(showServing);
  }, []);

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
      ...(status === "pending" && { order: waitingOrder }),
    }),
    [status, waitingOrder, isSearch, searchParam, showAll, holdsShowAll, queueIds, tags, users, mayFilterUsers],
  );

  return {
    tab,
    setTab,
    openTab,
    setOpenTab,
    waitingOrder,
    setWaitingOrder,
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
    isWaiting: status === "pending",
    /** The other lists hold the colleagues' conversations anyway. */
    isServing: status === "open",
    /** The search tab without text and filters: nothing is fetched. */
    isSearchEmpty: isSearch && searchParam === "" && tags.length === 0 && users.length === 0,
    list,
  };
}

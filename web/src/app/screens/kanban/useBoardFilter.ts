import { useMemo, useState } from "react";
import type { BoardFilter } from "#web/features/kanban/index.ts";
import { useQueueFilter } from "#web/app/screens/desk/list/queue-choice.ts";
import { useSearch } from "#web/lib/browser/hooks.ts";
import { readStored, writeStored } from "#web/lib/session/storage.ts";

export type BoardView = "board" | "list";

/** The view, which this browser keeps, and what the user looks for. */
export function useBoardFilter() {
  // "Kanban shows tickets of the user's queues" (specification 2, section 6): on at first for everybody.
  const [showAll, setShowAll] = useState(true);
  const [queueIds, setQueueIds] = useQueueFilter([]);
  const [view, setView] = useState<BoardView>(() => (readStored("prosa.kanbanView") === "list" ? "list" : "board"));
  const search = useSearch();
  const filter: BoardFilter = useMemo(
    () => ({ searchParam: search.asked, queueIds, showAll }),
    [search.asked, queueIds, showAll],
  );
  return {
    filter,
    search,
    queueIds,
    setQueueIds,
    showAll,
    setShowAll,
    view,
    setView: (next: BoardView) => {
      setView(next);
      writeStored("prosa.kanbanView", next);
    },
  };
}

import type { Ticket } from "@prosa/contract/tickets";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { ApiError } from "#web/lib/api/apiError.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { toast } from "#web/ui/Toast.tsx";
import { kanbanMessages } from "../kanban.i18n.ts";
import { moveCard } from "../lane-moves.ts";
import { laneIdsOf, movedTo, type Lane } from "../lanes.ts";
import { nameOfLane } from "./card-names.ts";

export type MoveCard = (ticket: Ticket, from: number, to: Lane) => void;

/** Moves a card between lanes and says what came of it, with the way back. */
export function useMoveCard(lanes: readonly Lane[]): MoveCard {
  const t = useMessages(kanbanMessages);
  const queryClient = useQueryClient();

  return useMemo(() => {
    const move: MoveCard = (ticket, from, to) => {
      const laneOf = (laneId: number | undefined) => lanes.find(({ id }) => id === laneId);
      // a lane that was deleted while its card was dragged: the card is in another one
      const source = laneOf(from) ?? laneOf(laneIdsOf(ticket)[0]);
      if (!source || to.id === source.id) {
        return;
      }
      // Of a card in several lanes the move takes all but one: a step back would not restore them.
      const back = laneIdsOf(ticket).length === 1 ? () => move(movedTo(to, ticket), to.id, source) : undefined;
      moveCard(queryClient, ticket, source.id, to).then(
        (isLast) => isLast && toast.success(t(to.tag ? "added" : "removed"), back && { label: t("undo"), run: back }),
        (error: unknown) => {
          const again = { label: t("tryAgain"), run: () => move(ticket, source.id, to) };
          if (error instanceof ApiError && error.code === "network") {
            toast.error(t("movedOffline", { lane: nameOfLane(source, t) }), again);
          } else {
            toast.failure(error);
          }
        },
      );
    };
    return move;
  }, [lanes, queryClient, t]);
}

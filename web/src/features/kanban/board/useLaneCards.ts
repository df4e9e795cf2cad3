import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { cardsOptions } from "../kanban.api.ts";
import { forgetLookedAt, noteLookedAt, wishMore } from "../card-pages.ts";
import { useLaneMoves } from "../lane-moves.ts";
import { withMoves, type CardList } from "../lanes.ts";

/** The cards of a list as they are shown, and the way to more of them. */
export function useLaneCards(list: CardList, isSeen = true) {
  const query = useQuery({ ...cardsOptions(list), enabled: isSeen });
  const moves = useLaneMoves();
  const page = query.data?.pages[0];
  const cards = useMemo(() => withMoves(page?.tickets ?? [], moves, list.laneId), [page, moves, list.laneId]);
  const { refetch } = query;
  useEffect(() => () => forgetLookedAt(list), [list]);

  return {
    cards,
    count: page?.count,
    hasMore: page?.hasMore ?? false,
    isLoading: query.isPending,
    isFetching: query.isFetching,
    error: query.error,
    onLookedAt: useCallback((looked: number) => noteLookedAt(list, looked), [list]),
    onMore: useCallback(() => {
      wishMore(list);
      void refetch({ cancelRefetch: false });
    }, [list, refetch]),
    onRetry: useCallback(() => void refetch(), [refetch]),
  };
}

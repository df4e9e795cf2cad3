import type { Announcements } from "@dnd-kit/core";
import type { Translate } from "#web/lib/text/i18n.ts";
import type { kanbanMessages } from "../kanban.i18n.ts";
import { nameOfCard, nameOfLane } from "./card-names.ts";
import { laneOver, type Dragged } from "./drag.ts";

/** What a screen reader says of a drag, by a live region, and how to begin one. */
export function speech(t: Translate<(typeof kanbanMessages)["pt"]>) {
  /** What is in the hand. A card or lane that has left the board meanwhile has no data of its own any more. */
  let dragged: Dragged | undefined;
  /** It has just been picked up: that it is over its own lane is no news. */
  let isLifted = false;
  const announcements: Announcements = {
    onDragStart: ({ active }) => {
      dragged = active.data.current as Dragged;
      isLifted = true;
      return t("lifted", { name: nameOf(dragged), lane: nameOfLane(dragged.lane, t) });
    },
    onDragOver: ({ over }) => {
      const [name, lane] = [nameOf(dragged), laneOver(over)];
      const isAtHome = isLifted && lane?.id === dragged?.lane.id;
      isLifted = false;
      if (isAtHome) {
        return undefined;
      }
      return lane ? t("over", { name, lane: nameOfLane(lane, t) }) : t("overNothing", { name });
    },
    onDragEnd: ({ over }) => {
      const [name, lane] = [nameOf(dragged), laneOver(over)];
      return lane ? t("dropped", { name, lane: nameOfLane(lane, t) }) : t("droppedNowhere", { name });
    },
    onDragCancel: () => t("cancelled", { name: nameOf(dragged) }),
  };
  const nameOf = (held: Dragged | undefined) =>
    held?.kind === "card" ? nameOfCard(held.ticket) : held ? nameOfLane(held.lane, t) : "";

  return { announcements, screenReaderInstructions: { draggable: t("instructions") } };
}

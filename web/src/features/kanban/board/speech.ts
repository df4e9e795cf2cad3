import type { Announcements } from "@dnd-kit/core";
import type { Translate } from "#web/lib/text/i18n.ts";
import type { kanbanMessages } from "../kanban.i18n.ts";
import { nameOfCard, nameOfLane } from "./card-names.ts";
import { laneOver, type Dragged } from "./drag.ts";

/** What a screen reader says of a drag, by a live region, and how to begin one. */
export function speech(t: Translate<(typeof kanbanMessages)["pt"]>) {
  /** It has just been picked up: that it is over its own lane is no news. */
  let isLifted = false;
  const announcements: Announcements = {
    onDragStart: ({ active }) => {
      const dragged = active.data.current as Dragged;
      isLifted = true;
      return t("lifted", { name: nameOf(dragged), lane: nameOfLane(dragged.lane, t) });
    },
    onDragOver: ({ active, over }) => {
      const dragged = active.data.current as Dragged;
      const [name, lane] = [nameOf(dragged), laneOver(over)];
      const isAtHome = isLifted && lane?.id === dragged.lane.id;
      isLifted = false;
      if (isAtHome) {
        return undefined;
      }
      return lane ? t("over", { name, lane: nameOfLane(lane, t) }) : t("overNothing", { name });
    },
    onDragEnd: ({ active, over }) => {
      const [name, lane] = [nameOf(active.data.current as Dragged), laneOver(over)];
      return lane ? t("dropped", { name, lane: nameOfLane(lane, t) }) : t("droppedNowhere", { name });
    },
    onDragCancel: ({ active }) => t("cancelled", { name: nameOf(active.data.current as Dragged) }),
  };
  const nameOf = (dragged: Dragged) =>
    dragged.kind === "card" ? nameOfCard(dragged.ticket) : nameOfLane(dragged.lane, t);

  return { announcements, screenReaderInstructions: { draggable: t("instructions") } };
}

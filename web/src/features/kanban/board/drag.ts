/** How is something dragged on the board: by mouse, by finger, by keys, and which lane is meant. */
import {
  closestCenter,
  KeyboardCode,
  KeyboardSensor,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
  type CollisionDetection,
  type DragEndEvent,
  type KeyboardCoordinateGetter,
} from "@dnd-kit/core";
import type { Ticket } from "@prosa/contract/tickets";
import type { Lane } from "../lanes.ts";

/** What is in the hand: a card, or a lane by its header. */
export type Dragged =
  | { readonly kind: "card"; readonly ticket: Ticket; readonly lane: Lane }
  | { readonly kind: "lane"; readonly lane: Lane };

/** A ticket with several lanes has a card in each. */
export const cardId = (laneId: number, ticketId: number) => `card:${laneId}:${ticketId}`;
export const laneHandleId = (laneId: number) => `lane:${laneId}`;
export const dropId = (laneId: number) => `drop:${laneId}`;

/** A press that moves no further is a click (px). */
const clickSlackPx = 6;
/** A finger that rests so long (ms) picks up, and until then may move so far (px); more is a scroll. */
const press = { delay: 250, tolerance: 8 };

/** The lane that a drag is over. */
export function laneOver(over: DragEndEvent["over"]): Lane | undefined {
  return (over?.data.current as { readonly lane: Lane } | undefined)?.lane;
}

export function useBoardSensors() {
  return useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: clickSlackPx } }),
    useSensor(TouchSensor, { activationConstraint: press }),
    useSensor(KeyboardSensor, { coordinateGetter: toNextLane, scrollBehavior: "auto" }),
  );
}

/** The lane under the pointer; with the keyboard the nearest one. A drop beside the visible part of the board is none. */
export function lanesWithin(board: () => DOMRect | undefined): CollisionDetection {
  return (drag) => {
    const pointer = drag.pointerCoordinates;
    if (pointer === null) {
      return closestCenter(drag);
    }
    const visible = board();
    return visible && (pointer.x < visible.left || pointer.x > visible.right) ? [] : pointerWithin(drag);
  };
}

/** Arrows left and right move to the lane beside the current one. */
const toNextLane: KeyboardCoordinateGetter = (event, { context, currentCoordinates }) => {
  const step = { [KeyboardCode.Left]: -1, [KeyboardCode.Right]: 1 }[event.code as KeyboardCode.Left];
  if (event.code.startsWith("Arrow")) {
    event.preventDefault();
  }
  if (step === undefined || !context.collisionRect) {
    return undefined;
  }
  const lanes = [...context.droppableRects.entries()].toSorted(([, a], [, b]) => a.left - b.left);
  const at = lanes.findIndex(([id]) => id === context.over?.id);
  const next = lanes[at + step]?.[1];
  const width = context.collisionRect.width;
  return next && { x: next.left + (next.width - width) / 2, y: currentCoordinates.y };
};

import type { Active, DragEndEvent, Over } from "@dnd-kit/core";
import { expect, test } from "vitest";
import { translator } from "#web/lib/text/i18n.ts";
import { aTicket } from "../../testing.ts";
import { kanbanMessages } from "../kanban.i18n.ts";
import { lanesOf } from "../lanes.ts";
import { speech } from "./speech.ts";

test("a card whose lane is deleted while it is in the hand is spoken of by its name (O-02)", () => {
  const paid = { id: 5, name: "Pago", color: "#0c7a5a", kanban: 1 };
  const [open, lane] = lanesOf([paid]);
  const ticket = aTicket({ id: 7 });
  const { announcements } = speech(translator(kanbanMessages, "pt"));
  const ofCard = (current: object) => ({ id: "card:5:7", data: { current } }) as Active;
  const over = { data: { current: { lane: open } } } as unknown as Over;

  announcements.onDragStart({ active: ofCard({ kind: "card", ticket, lane }) });
  // the card is not on the board any more
  const event = { active: ofCard({}), over } as DragEndEvent;

  const name = ticket.contact.name;
  expect(announcements.onDragOver(event)).toBe(`${name} sobre Em aberto.`);
  expect(announcements.onDragEnd(event)).toBe(`${name} solto em Em aberto.`);
  expect(announcements.onDragCancel(event)).toContain(name);
});

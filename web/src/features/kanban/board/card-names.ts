import type { Ticket } from "@prosa/contract/tickets";
import type { Translate } from "#web/lib/text/i18n.ts";
import type { kanbanMessages } from "../kanban.i18n.ts";
import type { Lane } from "../lanes.ts";

export function nameOfCard({ contact }: Pick<Ticket, "contact">): string {
  return contact.name || contact.number;
}

export function nameOfLane(lane: Lane, t: Translate<(typeof kanbanMessages)["pt"]>): string {
  return lane.tag?.name ?? t("openLane");
}

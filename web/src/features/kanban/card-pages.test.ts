import { expect, test } from "vitest";
import type { TicketPage } from "#web/features/tickets/index.ts";
import { aTicket } from "../testing.ts";
import { forgetLookedAt, noteLookedAt, readCards, wishMore } from "./card-pages.ts";
import { cardListOf } from "./lanes.ts";

const list = cardListOf({ searchParam: "", queueIds: [], showAll: true }, 7);
const size = 40;

/** A lane on the server, and what a browser has read of it. */
function aLane(length: number) {
  const onServer = Array.from({ length }, (_, index) => index + 1);
  const asked: number[] = [];
  let known: TicketPage | undefined;
  const read = async () => {
    known = await readCards(
      list,
      () => known,
      (pageNumber) => {
        asked.push(pageNumber);
        const ids = onServer.slice((pageNumber - 1) * size, pageNumber * size);
        return Promise.resolve({
          tickets: ids.map((id) => aTicket({ id })),
          count: onServer.length,
          hasMore: pageNumber * size < onServer.length,
        });
      },
    );
  };
  const leave = (id: number) => {
    onServer.splice(onServer.indexOf(id), 1);
    known = known && { ...known, tickets: known.tickets.filter((ticket) => ticket.id !== id) };
  };
  forgetLookedAt(list);
  return { onServer, asked, read, leave, ids: () => known?.tickets.map(({ id }) => id) ?? [] };
}

test("cards that leave a lane do not make its next page skip others (O-02)", async () => {
  const lane = aLane(100);
  await lane.read();
  [1, 2, 30].forEach(lane.leave);
  wishMore(list);
  await lane.read();
  wishMore(list);
  await lane.read();
  wishMore(list);
  await lane.read();

  expect(lane.ids()).toEqual(lane.onServer);
  expect(lane.asked).toEqual([1, 1, 2, 3]);
});

test("cards that came in above do not appear twice (O-02)", async () => {
  const lane = aLane(60);
  await lane.read();
  lane.onServer.unshift(101, 102);
  wishMore(list);
  await lane.read();

  expect(new Set(lane.ids()).size).toBe(lane.ids().length);
  expect(lane.ids()).toHaveLength(60);
});

test("a lane is read again as far as it was looked at, and no further (O-02, N-05)", async () => {
  const lane = aLane(400);
  await lane.read();
  for (let page = 0; page < 5; page += 1) {
    wishMore(list);
    await lane.read();
  }
  lane.asked.length = 0;
  noteLookedAt(list, 70);
  await lane.read();
  expect(lane.asked).toEqual([1, 2]);

  lane.asked.length = 0;
  forgetLookedAt(list);
  await lane.read();
  expect(lane.asked).toEqual([1]);
});

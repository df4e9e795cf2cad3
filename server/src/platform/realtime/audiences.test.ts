import fc from "fast-check";
import { expect, test } from "vitest";
import { audiencesOf } from "./audiences.ts";

test("sockets that get the same packets are one audience; a packet that nobody gets is in none", () => {
  const rooms: Record<string, string[]> = { open: ["a", "b", "c"], pending: ["b", "c"], bell: ["d"] };
  const emissions = [
    { rooms: ["open"], except: ["bell"] },
    { rooms: ["empty"] },
    { rooms: ["pending", "bell"] },
    { rooms: ["open", "empty"] },
  ];
  expect(audiencesOf(emissions, (name) => rooms[name] && new Set(rooms[name]))).toEqual([
    { packets: [0, 3], ids: ["a"] },
    { packets: [0, 2, 3], ids: ["b", "c"] },
    { packets: [2], ids: ["d"] },
  ]);
});

test("each socket gets, in order, the packets to its rooms without those that except one of its rooms", () => {
  const names = fc.subarray(["one", "two", "three", "four"]);
  const sockets = fc.dictionary(fc.constantFrom("a", "b", "c", "d", "e", "f"), names);
  const emissions = fc.array(fc.record({ rooms: names, except: names }), { maxLength: 8 });
  fc.assert(
    fc.property(sockets, emissions, (roomsOf, batch) => {
      const inRoom = (room: string) => Object.keys(roomsOf).filter((id) => roomsOf[id]!.includes(room));
      const audiences = audiencesOf(batch, (room) => (inRoom(room).length > 0 ? new Set(inRoom(room)) : undefined));
      const got = Object.fromEntries(audiences.flatMap(({ packets, ids }) => ids.map((id) => [id, packets])));

      const isIn = (id: string, rooms: string[]) => rooms.some((room) => roomsOf[id]!.includes(room));
      const expected = Object.keys(roomsOf)
        .map(
          (id) =>
            [id, batch.flatMap(({ rooms, except }, at) => (isIn(id, rooms) && !isIn(id, except) ? at : []))] as const,
        )
        .filter(([, packets]) => packets.length > 0);
      expect(got).toEqual(Object.fromEntries(expected));
    }),
  );
});

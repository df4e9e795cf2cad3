import type { Socket } from "socket.io";
import { expect, test } from "vitest";
import { createMembership } from "./membership.ts";
import type { JoinArgument, SocketUser } from "./types.ts";

test("the spellings of an id are one room, counted together, so that nobody has a room more than 200 times (N-04)", async () => {
  const rooms = new Set<string>();
  const socket = {
    rooms,
    join: (names: readonly string[]) => names.forEach((name) => rooms.add(name)),
    leave: (name: string) => rooms.delete(name),
  } as unknown as Socket;
  const user = () => ({ actor: { companyId: 1, userId: 1, sessionId: "ana" } }) as SocketUser;
  const handler = (_: unknown, argument: JoinArgument) => [`chat:${Number(argument)}`];
  const membership = createMembership(socket, user, new Map([["joinChatBox", handler]]));
  for (const spelling of [18, "18", "018", " 18"]) {
    expect(await membership.join("joinChatBox", spelling)).toBe(true);
  }
  expect(membership.all()).toHaveLength(1);
  for (const spelling of ["0018", 18, "18"]) {
    await membership.leave("joinChatBox", spelling);
    expect(membership.isIn("chat:18")).toBe(true);
  }
  await membership.leave("joinChatBox", "18 ");
  expect(membership.isIn("chat:18")).toBe(false);
});

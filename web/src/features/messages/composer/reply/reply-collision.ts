import type { Message } from "@prosa/contract/messages";

type Reply = Pick<Message, "fromMe" | "isAutomatic" | "createdAt" | "user">;

/**
 * Reply collision: the colleague who replied since this user began to write, or undefined. Automatic messages do not
 * count. `beganAt` is a server time (ms), like `createdAt`; undefined when nothing is being written.
 */
export function findReplyCollision(
  messages: readonly Reply[],
  beganAt: number | undefined,
  myId: number,
): { readonly id: number; readonly name: string } | undefined {
  if (beganAt === undefined) {
    return undefined;
  }
  const reply = messages.findLast(
    ({ fromMe, isAutomatic, user, createdAt }) =>
      fromMe && !isAutomatic && user !== null && user.id !== myId && Date.parse(createdAt) > beganAt,
  );
  return reply?.user ?? undefined;
}

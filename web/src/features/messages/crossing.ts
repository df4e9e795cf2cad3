import type { Message } from "@prosa/contract/messages";

/** What of an answer decides whether it crosses the one being written. */
type Answer = Pick<Message, "fromMe" | "isAutomatic" | "createdAt" | "user">;

/**
 * The colleague who answered since one began to write, or undefined: then a person should look before they send. An
 * automatic message is nobody's answer. `beganAt` is a time of the server (ms), like `createdAt`.
 */
export function colleagueWhoAnswered(
  answers: readonly Answer[],
  beganAt: number | undefined,
  myId: number,
): { readonly id: number; readonly name: string } | undefined {
  if (beganAt === undefined) {
    return undefined;
  }
  const crossing = answers.findLast(
    ({ fromMe, isAutomatic, user, createdAt }) =>
      fromMe && !isAutomatic && user !== null && user.id !== myId && Date.parse(createdAt) > beganAt,
  );
  return crossing?.user ?? undefined;
}

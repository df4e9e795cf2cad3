import type { ChatMessage } from "@prosa/contract/chats";
import { expect, test } from "vitest";
import { createChatOutbox, type PendingChatMessage } from "./chat-outbox.ts";
import { buildChatTimeline } from "./timeline.ts";

function anOutbox() {
  const posted: PendingChatMessage[] = [];
  const sent: string[] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const outbox = createChatOutbox({
    post: async (pending) => {
      posted.push(pending);
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      await answer.promise;
      return { id: posted.length, message: pending.message } as ChatMessage;
    },
    onSent: ({ message }) => sent.push(message),
    now: () => new Date("2026-11-22T12:00:00Z"),
  });
  /** Lets the resolved promises take effect. */
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { outbox, posted, sent, answers, turn };
}

test("messages are shown at once and sent one after another; empty ones are not sent (O-06)", async () => {
  const { outbox, posted, sent, answers, turn } = anOutbox();
  outbox.send(1, " primeira ");
  outbox.send(1, "  \n ");
  outbox.send(1, "segunda");
  expect(outbox.of(1).map(({ message }) => message)).toEqual(["primeira", "segunda"]);
  await turn();
  expect(posted.map(({ message }) => message)).toEqual(["primeira"]);

  answers[0]?.resolve();
  await turn();
  expect(posted.map(({ message }) => message)).toEqual(["primeira", "segunda"]);
  answers[1]?.resolve();
  await turn();
  expect(sent).toEqual(["primeira", "segunda"]);
  expect(outbox.of(1)).toEqual([]);
});

test("a failed message stays, and is sent again under the same client id (O-06)", async () => {
  const { outbox, posted, sent, answers, turn } = anOutbox();
  outbox.send(1, "oi");
  await turn();
  answers[0]?.reject(new Error("offline"));
  await turn();
  const [failed] = outbox.of(1);
  expect(failed).toMatchObject({ message: "oi", isFailed: true });

  outbox.retry(failed!);
  expect(outbox.of(1)).toMatchObject([{ isFailed: false }]);
  await turn();
  answers[1]?.resolve();
  await turn();
  expect(posted[1]?.clientId).toBe(posted[0]?.clientId);
  expect(sent).toEqual(["oi"]);
  expect(outbox.of(1)).toEqual([]);
});

test("a discarded message is not sent, and other chats do not wait (O-06)", async () => {
  const { outbox, posted, turn } = anOutbox();
  outbox.send(1, "primeira");
  outbox.send(1, "engano");
  outbox.send(2, "em outra");
  outbox.discard(outbox.of(1)[1]!.clientId);
  await turn();
  expect(posted.map(({ message }) => message)).toEqual(["primeira", "em outra"]);
});

const aMessage = (id: number, senderId: number, at: string, clientId: string | null = null): ChatMessage => ({
  id,
  chatId: 1,
  senderId,
  sender: { name: `User ${senderId}` },
  message: `m${id}`,
  clientId,
  createdAt: `2026-11-${at}.000Z`,
});

test("messages have day separators and groups; a stored message is not shown as pending as well (O-06)", () => {
  const messages = [
    aMessage(1, 2, "21T12:00:10"),
    aMessage(2, 2, "21T12:00:50"),
    aMessage(3, 1, "21T12:00:55", "mine"),
    aMessage(4, 1, "22T09:00:00"),
  ];
  const pending = (clientId: string): PendingChatMessage => ({
    clientId,
    chatId: 1,
    message: "",
    createdAt: "2026-11-22T09:01:00.000Z",
    isFailed: false,
  });
  const rows = buildChatTimeline(messages, [pending("mine"), pending("next")], {
    userId: 1,
    dayOf: (at) => at.slice(0, 10),
  });
  expect(rows.map((row) => (row.kind === "message" ? [row.key, row.isOwn, row.isFirst] : row.kind))).toEqual([
    "day",
    ["1", false, true],
    ["2", false, false],
    ["mine", true, true],
    "day",
    ["4", true, true],
    "pending",
  ]);
});

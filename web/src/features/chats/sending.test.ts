import type { ChatMessage } from "@prosa/contract/chats";
import { expect, test } from "vitest";
import { createSending, type Unsent } from "./sending.ts";
import { layOutChat } from "./timeline.ts";

function aSender() {
  const posted: Unsent[] = [];
  const sent: string[] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const sending = createSending({
    post: async (unsent) => {
      posted.push(unsent);
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      await answer.promise;
      return { id: posted.length, message: unsent.message } as ChatMessage;
    },
    onSent: ({ message }) => sent.push(message),
    now: () => new Date("2026-11-22T12:00:00Z"),
  });
  /** Lets what was answered take effect. */
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { sending, posted, sent, answers, turn };
}

test("messages show at once and go one after the other; empty ones are not sent (O-06)", async () => {
  const { sending, posted, sent, answers, turn } = aSender();
  sending.send(1, " primeira ");
  sending.send(1, "  \n ");
  sending.send(1, "segunda");
  expect(sending.of(1).map(({ message }) => message)).toEqual(["primeira", "segunda"]);
  await turn();
  expect(posted.map(({ message }) => message)).toEqual(["primeira"]);

  answers[0]?.resolve();
  await turn();
  expect(posted.map(({ message }) => message)).toEqual(["primeira", "segunda"]);
  answers[1]?.resolve();
  await turn();
  expect(sent).toEqual(["primeira", "segunda"]);
  expect(sending.of(1)).toEqual([]);
});

test("one that failed stays, and is sent again under the same id (O-06)", async () => {
  const { sending, posted, sent, answers, turn } = aSender();
  sending.send(1, "oi");
  await turn();
  answers[0]?.reject(new Error("offline"));
  await turn();
  const [failed] = sending.of(1);
  expect(failed).toMatchObject({ message: "oi", isFailed: true });

  sending.retry(failed!);
  expect(sending.of(1)).toMatchObject([{ isFailed: false }]);
  await turn();
  answers[1]?.resolve();
  await turn();
  expect(posted[1]?.clientId).toBe(posted[0]?.clientId);
  expect(sent).toEqual(["oi"]);
  expect(sending.of(1)).toEqual([]);
});

test("one that was discarded is not sent, and other chats do not wait (O-06)", async () => {
  const { sending, posted, turn } = aSender();
  sending.send(1, "primeira");
  sending.send(1, "engano");
  sending.send(2, "em outra");
  sending.discard(sending.of(1)[1]!.clientId);
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

test("days and groups stand between messages; what arrived is not shown twice (O-06)", () => {
  const messages = [
    aMessage(1, 2, "21T12:00:10"),
    aMessage(2, 2, "21T12:00:50"),
    aMessage(3, 1, "21T12:00:55", "mine"),
    aMessage(4, 1, "22T09:00:00"),
  ];
  const unsent = (clientId: string): Unsent => ({
    clientId,
    chatId: 1,
    message: "",
    createdAt: "2026-11-22T09:01:00.000Z",
    isFailed: false,
  });
  const rows = layOutChat(messages, [unsent("mine"), unsent("next")], { userId: 1, dayOf: (at) => at.slice(0, 10) });
  expect(rows.map((row) => (row.kind === "message" ? [row.key, row.isOwn, row.isFirst] : row.kind))).toEqual([
    "day",
    ["1", false, true],
    ["2", false, false],
    ["mine", true, true],
    "day",
    ["4", true, true],
    "unsent",
  ]);
});

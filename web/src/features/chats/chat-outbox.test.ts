import type { SessionUser } from "@prosa/contract/auth";
import type { ChatMessage } from "@prosa/contract/chats";
import { expect, onTestFinished, test, vi } from "vitest";
import { createChatOutbox, type PendingChatMessage } from "./chat-outbox.ts";
import { buildChatTimeline } from "./timeline.ts";

function anOutbox() {
  const posted: PendingChatMessage[] = [];
  const sent: string[] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  const session = { userId: 1 as number | undefined };
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
    userId: () => session.userId,
  });
  /** Lets the resolved promises take effect. */
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { outbox, posted, sent, answers, session, turn };
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

test("what an expired session left unsent is its writer's to send again, nobody else's; who signs out forgets it (O-06)", async () => {
  const { outbox, posted, sent, answers, session, turn } = anOutbox();
  outbox.send(1, "a caminho");
  outbox.send(1, "na fila");
  await turn();
  outbox.close(false, 1);
  session.userId = 2;
  expect(outbox.of(1)).toEqual([]);
  answers[0]?.resolve();
  outbox.send(1, "de outra pessoa");
  await turn();
  expect(posted.map(({ message }) => message)).toEqual(["a caminho", "de outra pessoa"]);
  expect(sent).toEqual([]);

  outbox.close(true, 2);
  session.userId = 1;
  expect(outbox.of(1)).toMatchObject([{ message: "na fila", isFailed: true }]);
  outbox.retry(outbox.of(1)[0]!);
  await turn();
  expect(posted.at(-1)?.message).toBe("na fila");
  outbox.close(true, 1);
  expect(outbox.of(1)).toEqual([]);
});

test("a message that hangs fails in time, can be sent again and lets the next one through (O-06)", async () => {
  const posted: string[] = [];
  vi.stubGlobal("document", { documentElement: { lang: "pt" } });
  vi.stubGlobal("fetch", (_: string, { body, signal }: { readonly body: string; readonly signal?: AbortSignal }) => {
    posted.push(body);
    return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  const { chatOutbox } = await import("./chat-outbox.browser.ts");
  const { startSession } = await import("#web/lib/session/session.ts");
  startSession({ token: "one", user: { id: 1, companyId: 1, company: { dueDate: null } } as unknown as SessionUser });
  vi.useFakeTimers();
  chatOutbox.send(7, "presa");
  chatOutbox.send(7, "depois");
  await vi.advanceTimersByTimeAsync(29_999);
  expect(posted).toHaveLength(1);

  await vi.advanceTimersByTimeAsync(1);
  expect(posted).toHaveLength(2);
  expect(chatOutbox.of(7)).toMatchObject([{ message: "presa", isFailed: true }, { message: "depois" }]);
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
    userId: 1,
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

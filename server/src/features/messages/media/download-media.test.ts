import type { Message } from "@prosa/contract";
import { expect, test } from "vitest";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { aDesk } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { createMessagesFeature } from "../feature.ts";

test("a download that killed the process at each attempt is failed, and can be retried (W-08)", async () => {
  const clock = createMovedClock("2026-05-04T12:00:00Z");
  const lines = new Map<number, FakeLine>();
  const messages = createMessagesFeature(() => (id) => lines.get(id));
  const desk = await aDesk([tickets, messages, fakeLinesFeature(lines)], { clock });
  lines.set(desk.connectionId, createFakeLine(desk.connectionId));
  const agent = await desk.person("admin");
  const { id: ticketId } = await desk.ticket({ status: "open", user: agent });
  const stored = async () => (await agent.get<{ messages: Message[] }>(`/messages/${ticketId}`)).body.messages;
  const id = (await agent.post<Message[]>(`/messages/${ticketId}`, { body: "foto" })).body[0]!.id;
  await desk.app.settle();

  const seal = desk.app.services.vault.seal(JSON.stringify({}), `media:${desk.connectionId}`);
  await desk.rows(`update messages set media_type = 'image' where id = ${id}`);
  await desk.rows(`insert into media (message_id, company_id, state, source)
    values (${id}, ${desk.companyId}, 'fetching', '\\x${seal.toString("hex")}')`);
  await desk.within(async (ctx) =>
    ctx.enqueue({
      task: "media.fetch",
      payload: { connectionId: desk.connectionId, messageId: id },
      affinity: `line:${desk.connectionId}`,
      maxAttempts: 10,
      runAt: clock.now(),
    }),
  );
  await desk.rows(`update jobs set attempts = 5 where task = 'media.fetch'`);
  await desk.app.settle();
  expect(await stored()).toMatchObject([{ media: { state: "failed" } }]);
  expect((await agent.post<Message>(`/messages/${id}/media`)).body.media?.state).toBe("wanted");
  await desk.app.settle();
  expect(await stored()).toMatchObject([{ media: { state: "ready" } }]);
});

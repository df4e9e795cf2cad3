import type { Message } from "@prosa/contract";
import { expect, test } from "vitest";
import { feature as tickets } from "#server/features/tickets/feature.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import type { MovedClock } from "#server/platform/clock/index.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Person } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { SendError } from "#server/whatsapp/port.ts";
import { createMessagesFeature } from "../feature.ts";

/** A message with a file that is being fetched, by nobody yet. */
async function aFileToFetch(clock: MovedClock) {
  const lines = new Map<number, FakeLine>();
  const messages = createMessagesFeature(() => (id) => lines.get(id));
  const desk = await aDesk([tickets, messages, fakeLinesFeature(lines)], { clock });
  const line = createFakeLine(desk.connectionId);
  lines.set(desk.connectionId, line);
  const agent = await desk.person("admin");
  const { id: ticketId } = await desk.ticket({ status: "open", user: agent });
  const id = (await agent.post<Message[]>(`/messages/${ticketId}`, { body: "foto" })).body[0]!.id;
  await desk.app.settle();

  const seal = desk.app.services.vault.seal(JSON.stringify({}), `media:${desk.connectionId}`);
  await desk.rows(`update messages set media_type = 'image' where id = ${id}`);
  await desk.rows(`insert into media (message_id, company_id, state, source)
    values (${id}, ${desk.companyId}, 'fetching', '\\x${seal.toString("hex")}')`);
  return { desk, line, agent, ticketId, id };
}

async function stateOf(agent: Person, ticketId: number): Promise<string | undefined> {
  return (await agent.get<{ messages: Message[] }>(`/messages/${ticketId}`)).body.messages[0]?.media?.state;
}

test("a download that killed the process at each attempt is failed, and can be retried (W-08)", async () => {
  const clock = createMovedClock("2026-05-04T12:00:00Z");
  const { desk, agent, ticketId, id } = await aFileToFetch(clock);
  await desk.within(async (ctx) =>
    ctx.enqueue({
      task: "media.fetch",
      payload: { connectionId: desk.connectionId, messageId: id },
      affinity: `line:${desk.connectionId}`,
      maxAttempts: 14,
      runAt: clock.now(),
    }),
  );
  await desk.rows(`update jobs set attempts = 7 where task = 'media.fetch'`);
  await desk.app.settle();
  expect(await stateOf(agent, ticketId)).toBe("failed");
  expect((await agent.post<Message>(`/messages/${id}/media`)).body.media?.state).toBe("wanted");
  await desk.app.settle();
  expect(await stateOf(agent, ticketId)).toBe("ready");
});

test("a file waits for as long as its line is not connected, and is fetched afterwards (W-08)", async () => {
  const clock = createMovedClock("2026-05-04T12:00:00Z");
  const { desk, line, agent, ticketId, id } = await aFileToFetch(clock);
  let tries = 0;
  line.onDownload = () => {
    tries += 1;
    if (tries <= 12) {
      throw new SendError("notConnected", true);
    }
    return new Uint8Array([1]);
  };
  await desk.rows(`update media set state = 'failed' where message_id = ${id}`);
  await agent.post(`/messages/${id}/media`);
  for (let round = 0; round < 12; round += 1) {
    await desk.app.settle();
    expect(await stateOf(agent, ticketId)).toBe("wanted");
    clock.advance({ minutes: 1 });
  }
  await desk.app.settle();
  expect(await stateOf(agent, ticketId)).toBe("ready");
});

test("a file that an exported chat came without is not fetched, and does not wait for ever (E-09)", async () => {
  const messages = createMessagesFeature(() => () => undefined);
  const desk = await aDesk([tickets, messages, fakeLinesFeature(new Map())]);
  const agent = await desk.person("admin");
  const { id: ticketId } = await desk.ticket({ status: "open", user: agent });
  const { id } = (await agent.post<Message[]>(`/messages/${ticketId}`, { body: "foto" })).body[0]!;
  await desk.rows(`update messages set media_type = 'image', data = '{"imported": true}' where id = ${id}`);
  await desk.rows(`insert into media (message_id, company_id, state) values (${id}, ${desk.companyId}, 'expired')`);
  expect(await agent.post(`/messages/${id}/media`)).toMatchObject({ body: { error: "ERR_WAPP_DOWNLOAD_MEDIA" } });
  expect(await desk.rows(`select state from media where message_id = ${id}`)).toEqual([{ state: "expired" }]);
});

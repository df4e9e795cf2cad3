import type { Message } from "@prosa/contract";
import { beforeEach, describe, expect, test } from "vitest";
import { noPorts, ticketsFeature } from "#server/features/tickets/feature.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import { aDesk } from "#server/testing/desk.ts";
import type { Desk, Person } from "#server/testing/desk.ts";
import { createFakeLine, fakeLinesFeature } from "#server/testing/fake-line.ts";
import type { FakeLine } from "#server/testing/fake-line.ts";
import { SendError } from "#server/whatsapp/port.ts";
import { createMessagesFeature } from "../feature.ts";
import { enqueueMoveUnsent } from "./index.ts";

const lines = new Map<number, FakeLine>();
const clock = createMovedClock("2026-05-04T12:00:00Z");
let desk: Desk;
let first: FakeLine;
let second: FakeLine;
let agent: Person;
let ticketId: number;
let contactId: number;

beforeEach(async () => {
  clock.set("2026-05-04T12:00:00Z");
  lines.clear();
  const messages = createMessagesFeature(() => (id) => lines.get(id));
  const tickets = ticketsFeature({ ...noPorts, moveUnsent: enqueueMoveUnsent });
  desk = await aDesk([tickets, messages, fakeLinesFeature(lines)], { clock });
  const aLine = (id: number) => {
    const line = createFakeLine(id);
    lines.set(id, line);
    return line;
  };
  [first, second] = [aLine(desk.connectionId), aLine(await desk.connection())];
  agent = await desk.person("admin");
  ({ id: ticketId, contactId } = await desk.ticket({ status: "open", user: agent, lastMessageAt: clock.now() }));
});

const send = async (body: string) => (await agent.post<Message[]>(`/messages/${ticketId}`, { body })).body[0]!;
const moveTo = (line: FakeLine) => agent.put(`/tickets/${ticketId}`, { whatsappId: line.connectionId });
const read = async () => (await agent.get<{ messages: Message[] }>(`/messages/${ticketId}`)).body.messages;
const sentBy = (line: FakeLine) =>
  line.sent.map(({ content }) =>
    content.kind === "reaction" ? content.emoji : "text" in content ? content.text : content.kind,
  );

/** Lets jobs run that are retried after a pause: a send to a line that is gone, what waits for that send to end. */
async function settle(): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    await desk.app.settle();
    clock.advance({ seconds: 1 });
  }
}

/** As if the line had given the message to its journal, and the acknowledgement had not come. */
const handOver = (id: number) =>
  desk.rows(`insert into sent_payloads (company_id, connection_id, wa_id, payload)
    select company_id, connection_id, wa_id, '' from messages where id = ${id}`);

describe("a conversation moves to another connection", () => {
  test("what its disconnected line has not sent goes by the new one, in order and once (T-14, M-05)", async () => {
    first.isConnected = false;
    await send("um");
    await send("dois");
    await settle();
    expect((await moveTo(second)).status).toBe(200);
    await send("três");
    await settle();
    expect(sentBy(second)).toEqual(["um", "dois", "três"]);

    first.isConnected = true;
    await settle();
    expect(sentBy(first)).toEqual([]);
    expect((await read()).map(({ ack }) => ack)).toEqual([1, 1, 1]);
  });

  test("it goes at once, though nobody writes anything more (T-14, M-05)", async () => {
    first.isConnected = false;
    await send("um");
    await moveTo(second);
    await settle();
    expect(sentBy(second)).toEqual(["um"]);
  });

  test.each([
    ["was about to send", new SendError("notConnected", true), [], ["um", "dois"]],
    ["sends just then", undefined, ["um"], ["dois"]],
  ])("what the line %s as it moved is sent once (T-14, M-05)", async (_case, failure, byFirst, bySecond) => {
    first.onSend = async () => {
      first.onSend = () => undefined;
      await moveTo(second);
      await send("dois");
      if (failure) {
        first.isConnected = false;
        throw failure;
      }
    };
    await send("um");
    await settle();
    first.isConnected = true;
    await settle();
    expect([sentBy(first), sentBy(second)]).toEqual([byFirst, bySecond]);
    expect((await read()).map(({ ack }) => ack)).toEqual([1, 1]);
  });

  test("the new line waits until the other one no longer tries to send (T-14, M-05)", async () => {
    await send("um");
    const leaseTo = (runner: string | null) =>
      desk.rows(`update jobs set leased_by = ${runner && `'${runner}'`},
        leased_until = ${runner && "now() + interval '1 hour'"} where payload ->> 'connectionId' = '${first.connectionId}'`);
    await leaseTo("another process");
    await moveTo(second);
    await send("dois");
    await settle();
    expect(sentBy(second)).toEqual([]);

    first.isConnected = false;
    await leaseTo(null);
    await settle();
    expect(sentBy(second)).toEqual(["um", "dois"]);
  });

  test("what its line may have handed over is sent again by no other, and holds up nothing (T-14, M-05)", async () => {
    first.isConnected = false;
    await handOver((await send("talvez enviada")).id);
    await send("na fila");
    await settle();
    await moveTo(second);
    await send("depois");
    await settle();
    expect(sentBy(second)).toEqual(["na fila", "depois"]);

    first.isConnected = true;
    await settle();
    expect(sentBy(first)).toEqual(["talvez enviada"]);
    expect((await read()).map(({ ack }) => ack)).toEqual([1, 1, 1]);
  });

  test("what cannot be sent by the new line waits for its own (T-14, M-05)", async () => {
    await desk.rows(`update contacts set number = null where id = ${contactId}`);
    first.isConnected = false;
    await send("um");
    await moveTo(second);
    await send("dois");
    await settle();
    first.isConnected = true;
    await settle();
    expect([sentBy(first), sentBy(second)]).toEqual([["um"], []]);
    expect(await read()).toMatchObject([{ ack: 1 }, { ack: -1, failReason: "invalidContact" }]);
  });

  test("to a third before the second sent anything: that one sends it (T-14, M-05)", async () => {
    const third = createFakeLine(await desk.connection());
    lines.set(third.connectionId, third);
    first.isConnected = false;
    second.isConnected = false;
    await send("um");
    await moveTo(second);
    await send("dois");
    await moveTo(third);
    await send("três");
    await settle();
    expect(sentBy(third).toSorted()).toEqual(["dois", "três", "um"]);
    expect((await read()).map(({ ack }) => ack)).toEqual([1, 1, 1]);
  });

  test("there and back: its line sends what it has, once (T-14, M-05)", async () => {
    first.isConnected = false;
    await send("um");
    await moveTo(second);
    await moveTo(first);
    await send("dois");
    await settle();
    first.isConnected = true;
    await settle();
    expect([sentBy(first), sentBy(second)]).toEqual([["um", "dois"], []]);
  });
});

describe("a change that waits for its line", () => {
  test("does not hold up the line that the conversation moves to (M-10, T-14)", async () => {
    const { id } = await send("errado");
    await settle();
    first.isConnected = false;
    await agent.post(`/messages/edit/${id}`, { body: "certo" });
    await settle();
    await moveTo(second);
    await send("depois");
    await agent.post(`/messages/${id}/reaction`, { emoji: "👍" });
    await send("e mais");
    await settle();
    expect(sentBy(second)).toEqual(["depois", "e mais"]);

    first.isConnected = true;
    await settle();
    expect(sentBy(first)).toEqual(["errado", "certo", "👍"]);
  });

  test("goes with its message (M-10, T-14)", async () => {
    first.isConnected = false;
    const { id } = await send("um");
    await agent.post(`/messages/${id}/reaction`, { emoji: "👍" });
    await settle();
    await moveTo(second);
    await settle();
    expect(sentBy(second)).toEqual(["um", "👍"]);
    first.isConnected = true;
    await settle();
    expect(sentBy(first)).toEqual([]);
  });
});

import { chats, users } from "@prosa/contract";
import type { Chat } from "@prosa/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp } from "#server/testing/app.ts";
import type { TestApp } from "#server/testing/app.ts";
import { aCompany, aUser } from "#server/testing/factories.ts";
import type { TestCompany, TestUser } from "#server/testing/factories.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

interface Team {
  readonly company: TestCompany;
  readonly owner: TestUser;
  readonly colleague: TestUser;
  readonly outsider: TestUser;
  readonly chat: Chat;
}

/** Paula's chat with Danilo; Sônia is a colleague and no member. */
async function aTeam(): Promise<Team> {
  const company = await aCompany(app);
  const owner = await aUser(company, { name: "Paula" });
  const colleague = await aUser(company, { name: "Danilo" });
  const outsider = await aUser(company, { name: "Sônia" });
  const chat = await begin(owner, [colleague]);
  return { company, owner, colleague, outsider, chat };
}

async function begin(owner: TestUser, others: readonly TestUser[], title = "Turno da tarde"): Promise<Chat> {
  const body = { title, users: others.map(({ userId }) => ({ id: userId })) };
  return (await app.as(owner).call(chats.create, { body })).body;
}

const write = (who: TestUser, { id }: Chat, message: string, clientId?: string) =>
  app.as(who).call(chats.send, { params: { id }, body: { message, ...(clientId !== undefined && { clientId }) } });
const listed = async (who: TestUser, query: object = {}) =>
  (await app.as(who).call(chats.list, { query })).body.records;
const textsOf = async (who: TestUser, { id }: Chat, query: object = {}) =>
  (await app.as(who).call(chats.messages, { params: { id }, query })).body.records.map(({ message }) => message);
const unreadOf = (chat: Chat | undefined, { userId }: TestUser) =>
  chat?.users.find((member) => member.userId === userId)?.unreads;

test("members find a chat with the names of all; messages are unread for the others until they read it (O-06)", async () => {
  const { owner, colleague, chat } = await aTeam();
  expect(chat).toMatchObject({ title: "Turno da tarde", ownerId: owner.userId, lastMessage: "" });
  expect(chat.users.map(({ user }) => user.name)).toEqual(["Danilo", "Paula"]);

  await write(owner, chat, "Quem fecha hoje?");
  const sent = await write(owner, chat, "  Eu posso até as 18h  ");
  expect(sent.body).toMatchObject({
    message: "Eu posso até as 18h",
    senderId: owner.userId,
    sender: { name: "Paula" },
  });

  const [seen] = await listed(colleague);
  expect(seen).toMatchObject({ id: chat.id, lastMessage: "Eu posso até as 18h" });
  expect([unreadOf(seen, colleague), unreadOf(seen, owner)]).toEqual([2, 0]);
  expect(await listed(colleague, { withUnread: "true" })).toHaveLength(1);

  const read = await app.as(colleague).call(chats.read, { params: { id: chat.id }, body: { userId: owner.userId } });
  expect(unreadOf(read.body, colleague)).toBe(0);
  expect(await listed(colleague, { withUnread: "true" })).toEqual([]);
});

test("a chat whose answer was lost is sent again under its key and made once (O-06)", async () => {
  const company = await aCompany(app);
  const [owner, colleague] = [await aUser(company), await aUser(company)];
  const body = { title: "Plantão", users: [{ id: colleague.userId }] };
  const key = { "idempotency-key": crypto.randomUUID() };
  const send = () => app.as(owner).post<Chat>("/chats", body, key);
  const answers = [...(await Promise.all([send(), send()])), await send()];
  expect(answers.map((answer) => answer.body)).toEqual(answers.map(() => answers[0]!.body));
  expect(await listed(colleague)).toMatchObject([{ title: "Plantão" }]);
});

test("a message that is sent again after a lost response is the same message (O-06)", async () => {
  const { owner, colleague, chat } = await aTeam();
  const first = await write(owner, chat, "Uma vez", "from-this-browser");
  const again = await write(owner, chat, "Uma vez", "from-this-browser");
  expect(again.body).toEqual(first.body);
  expect(await textsOf(colleague, chat)).toEqual(["Uma vez"]);
  expect(unreadOf((await listed(colleague))[0], colleague)).toBe(1);
});

test("empty messages and chats without title or members are refused (O-06)", async () => {
  const { owner, chat } = await aTeam();
  expect((await write(owner, chat, "  \n ")).status).toBe(400);
  const post = async (body: object) =>
    (await app.as(owner).post<{ details: { fields: object } }>("/chats", body)).body.details.fields;
  expect(await post({ title: " ", users: [] })).toEqual({
    title: "Por favor, preencha o título da conversa.",
    users: "Por favor, selecione pelo menos um usuário.",
  });
  expect(await post({ title: "Só eu", users: [{ id: owner.userId }] })).toEqual({
    users: "Por favor, selecione pelo menos um usuário.",
  });
});

test("pages have twenty messages, newest first, and stay stable while others write (O-06)", async () => {
  const { owner, colleague, chat } = await aTeam();
  for (let n = 1; n <= 45; n += 1) {
    await write(owner, chat, `m${n}`);
  }
  const page = async (query: object) =>
    (await app.as(colleague).call(chats.messages, { params: { id: chat.id }, query })).body;
  const newest = await page({});
  expect([newest.records.length, newest.hasMore, newest.count]).toEqual([20, true, 45]);
  expect([newest.records[0]?.message, newest.records.at(-1)?.message]).toEqual(["m26", "m45"]);
  await write(owner, chat, "m46");
  const older = await page({ before: newest.records[0]?.id });
  expect([older.records[0]?.message, older.records.at(-1)?.message, older.hasMore]).toEqual(["m6", "m25", true]);
  const oldest = await page({ before: older.records[0]?.id });
  expect([oldest.records.length, oldest.hasMore]).toEqual([5, false]);
  expect((await page({ pageNumber: 3 })).records[0]?.message).toBe("m1");
});

test("the chat with the latest message is first; title and names are searched without accents (O-06)", async () => {
  const { owner, colleague, outsider, chat } = await aTeam();
  const other = await begin(owner, [outsider], "Férias");
  expect((await listed(owner)).map(({ id }) => id)).toEqual([other.id, chat.id]);
  await write(colleague, chat, "Oi");
  expect((await listed(owner)).map(({ id }) => id)).toEqual([chat.id, other.id]);
  const found = async (searchParam: string) => (await listed(owner, { searchParam })).map(({ id }) => id);
  expect(await found("ferias")).toEqual([other.id]);
  expect(await found("SONIA")).toEqual([other.id]);
  expect(await found("nada disso")).toEqual([]);
});

test("only the owner may change and delete a chat; removed members cannot see it (O-06)", async () => {
  const { owner, colleague, outsider, chat } = await aTeam();
  const change = (who: TestUser, body: object) => app.as(who).put<Chat & { error: string }>(`/chats/${chat.id}`, body);
  const remove = (who: TestUser) => app.as(who).delete<{ error: string }>(`/chats/${chat.id}`);
  expect((await change(colleague, { title: "Meu" })).body.error).toBe("ERR_NO_PERMISSION");
  expect((await remove(colleague)).body.error).toBe("ERR_NO_PERMISSION");

  const changed = await change(owner, { title: "Plantão", users: [{ id: outsider.userId }] });
  expect(changed.body.users.map(({ user }) => user.name)).toEqual(["Paula", "Sônia"]);
  expect((await listed(outsider)).map(({ title }) => title)).toEqual(["Plantão"]);
  expect(await listed(colleague)).toEqual([]);
  expect((await write(colleague, chat, "Oi?")).status).toBe(404);

  expect((await remove(owner)).status).toBe(200);
  expect(await listed(outsider)).toEqual([]);
});

test("colleagues who are no members and other companies get 404, a plan without chats is refused (O-06, N-06)", async () => {
  const { owner, outsider, chat } = await aTeam();
  await write(owner, chat, "Só para nós");
  const stranger = (await aCompany(app)).admin;
  for (const who of [outsider, stranger]) {
    const caller = app.as(who);
    const params = { id: chat.id };
    const answers = [
      await caller.call(chats.byUuid, { params: { uuid: chat.uuid } }),
      await caller.call(chats.messages, { params, query: {} }),
      await caller.call(chats.send, { params, body: { message: "Oi" } }),
      await caller.call(chats.read, { params, body: {} }),
      await caller.call(chats.update, { params, body: { title: "Meu" } }),
      await caller.call(chats.remove, { params }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    expect(await listed(who)).toEqual([]);
  }
  const foreign = await app.as(owner).post("/chats", { title: "Nós", users: [{ id: stranger.userId }] });
  expect(foreign.body).toMatchObject({ error: "ERR_NO_USER_FOUND" });
  const without = await aCompany(app, { withoutFlags: ["useInternalChat"] });
  const refused = await app.as(without.admin).get<{ error: string }>("/chats");
  expect(refused.body.error).toBe("ERR_PLAN_WITHOUT_FEATURE");
});

test("messages of a deleted user keep the name; any member may change the user's chats (O-06)", async () => {
  const { company, owner, colleague, chat } = await aTeam();
  await write(owner, chat, "Até logo");
  await app.as(company.admin).call(users.remove, { params: { id: owner.userId } });

  const { body } = await app.as(colleague).call(chats.messages, { params: { id: chat.id }, query: {} });
  expect(body.records).toMatchObject([{ message: "Até logo", senderId: null, sender: { name: "Paula" } }]);
  const renamed = await app.as(colleague).call(chats.update, {
    params: { id: chat.id },
    body: { title: "Sem a Paula", users: [{ id: company.admin.userId }] },
  });
  expect(renamed.body).toMatchObject({ title: "Sem a Paula", ownerId: colleague.userId });
});

test("a chat whose form names a colleague who was deleted meanwhile is saved with the others (O-06)", async () => {
  const { company, owner, colleague, outsider, chat } = await aTeam();
  await app.as(company.admin).call(users.remove, { params: { id: colleague.userId } });
  const change = (ids: readonly number[]) =>
    app.as(owner).call(chats.update, { params: { id: chat.id }, body: { users: ids.map((id) => ({ id })) } });

  const saved = await change([colleague.userId, outsider.userId]);
  expect(saved.body.users.map(({ user }) => user.name)).toEqual(["Paula", "Sônia"]);
  const stranger = (await aCompany(app)).admin;
  const alone = await change([colleague.userId, stranger.userId]);
  expect(alone).toMatchObject({ status: 404, body: { error: "ERR_NO_USER_FOUND" } });
});

test("changes are published to members only (O-06, N-04)", async () => {
  const { company, owner, colleague, outsider } = await aTeam();
  const [hers, his, beside] = [await app.connect(owner), await app.connect(colleague), await app.connect(outsider)];
  await Promise.all([hers.ready, his.ready, beside.ready]);
  const name = `company-${company.id}-chat`;
  const nextPacket = async (socket: typeof his, event: string) => (await socket.next(event)).payload;

  const chat = await begin(owner, [colleague], "Ao vivo");
  expect(await nextPacket(his, `${name}-user-${colleague.userId}`)).toMatchObject({
    action: "create",
    record: { id: chat.id },
  });

  await write(owner, chat, "Olá");
  const news = { action: "new-message", newMessage: { message: "Olá" }, chat: { id: chat.id, lastMessage: "Olá" } };
  expect(await nextPacket(his, name)).toMatchObject(news);
  expect(await nextPacket(his, `${name}-${chat.id}`)).toMatchObject(news);
  expect(await nextPacket(hers, name)).toMatchObject(news);

  await app.as(colleague).call(chats.read, { params: { id: chat.id }, body: {} });
  const read = await nextPacket(his, `${name}-user-${colleague.userId}`);
  expect(read).toMatchObject({ action: "update", record: { id: chat.id } });
  expect(unreadOf((read as { record: Chat }).record, colleague)).toBe(0);
  await app.settle();
  expect(beside.packets.filter(({ event }) => event.includes("-chat"))).toEqual([]);

  const params = { id: chat.id };
  const body = { title: "Sem você", users: [{ id: outsider.userId }] };
  await app.as(owner).call(chats.update, { params, body });
  expect(await nextPacket(his, name)).toEqual({ action: "delete", id: chat.id });
  expect(await nextPacket(beside, `${name}-user-${outsider.userId}`)).toMatchObject({
    action: "create",
    record: { title: "Sem você" },
  });
  expect(await nextPacket(hers, name)).toMatchObject({ action: "update", chat: { title: "Sem você" } });

  await app.as(owner).call(chats.remove, { params });
  expect(await nextPacket(beside, name)).toEqual({ action: "delete", id: chat.id });
});

test("a browser that reconnects gets what it missed, but nothing of a chat that it was removed from (O-06, N-05)", async () => {
  const { company, owner, colleague, outsider, chat } = await aTeam();
  const before = await app.connect(colleague);
  const cursor = await before.ready;
  before.close();
  await write(owner, chat, "Enquanto você não via");
  const lost = await begin(owner, [colleague], "Passageira");
  await app.as(owner).call(chats.update, { params: { id: lost.id }, body: { users: [{ id: outsider.userId }] } });
  await write(owner, lost, "Segredo");
  await app.settle();

  const back = await app.connect(colleague, { cursor });
  await back.ready;
  await back.flushed();
  const name = `company-${company.id}-chat`;
  const received = back.packets.filter(({ event }) => event === name).map(({ payload }) => payload);
  expect(received).toMatchObject([
    { action: "new-message", newMessage: { message: "Enquanto você não via" } },
    { action: "delete", id: lost.id },
  ]);
  expect(JSON.stringify(back.packets)).not.toContain("Segredo");
});

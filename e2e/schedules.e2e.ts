/** Scheduled messages: the calendar, its dialog, and the arrow beside Send. */
import type { Locator, Page } from "@playwright/test";
import { contacts, scheduledMessages, sendingDefaults, sendingRulesApi } from "@prosa/contract";
import type { Schedule } from "@prosa/contract";
import { connectLine, createUser, photo, uniqueName, type ApiClient } from "./support/api.ts";
import { accessibilityViolations } from "./support/axe.ts";
import { accept, bubble, write } from "./support/desk.ts";
import { typeWhen } from "./support/fields.ts";
import { expect, test } from "./support/journey.ts";
import { loseAnswer } from "./support/lost-answers.ts";

const dayMs = 86_400_000;
/** Noon in São Paulo, some days from now. */
function noonIn(days: number): Date {
  const day = new Date(Date.now() + days * dayMs - 3 * 3_600_000).toISOString().slice(0, 10);
  return new Date(`${day}T15:00:00Z`);
}
const dayOf = (at: Date) => new Date(at.getTime() - 3 * 3_600_000).toISOString().slice(0, 10);
const writtenDay = (at: Date) => dayOf(at).split("-").toReversed().join("/");
const when = (dialog: Locator) => dialog.getByRole("textbox", { name: "Data e hora" });

async function schedule(
  admin: ApiClient,
  name: string,
  sendAt: Date,
  body = "Bom dia, tudo certo?",
): Promise<Schedule> {
  const number = `55119${Math.floor(10_000_000 + Math.random() * 89_999_999)}`;
  const contact = await admin.call(contacts.create, { body: { name, number } });
  return admin.call(scheduledMessages.create, { body: { body, contactId: contact.id, sendAt: sendAt.toISOString() } });
}
const read = (admin: ApiClient, { id }: Schedule) => admin.call(scheduledMessages.get, { params: { id } });

/** The calendar of the month of this day. */
async function openMonthOf(page: Page, day: Date): Promise<void> {
  await page.goto("/schedules");
  await expect(page.getByRole("heading", { name: /Agendamentos/, level: 1 })).toBeVisible();
  await page.getByRole("tab", { name: "Mês" }).click();
  if (dayOf(day).slice(0, 7) !== dayOf(new Date()).slice(0, 7)) {
    await page.getByRole("button", { name: "Próximo" }).click();
  }
  await expect(page.locator(`[data-date="${dayOf(day)}"]`).first()).toBeVisible();
}
const event = (page: Page, name: string) => page.getByRole("button", { name: new RegExp(`^\\d\\d:\\d\\d ?${name}`) });

async function dragTo(page: Page, name: string, day: Date): Promise<void> {
  const from = (await event(page, name).boundingBox())!;
  const to = (await page
    .locator(`[data-date="${dayOf(day)}"]`)
    .first()
    .boundingBox())!;
  await page.mouse.move(from.x + 12, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 30, from.y + 16, { steps: 4 });
  await page.mouse.move(to.x + to.width / 2, to.y + to.height - 12, { steps: 8 });
  await page.mouse.up();
}

test("a schedule is dragged to another day, and moves in a second browser (O-03)", async ({ alone, at }) => {
  const name = uniqueName("Cliente");
  const [from, to] = [noonIn(8), noonIn(9)];
  const made = await schedule(alone, name, from);
  const admins = await Promise.all(
    ["Ana", "Bia"].map((first) => createUser(alone, uniqueName(first), { profile: "admin" })),
  );
  const page = await at(admins[0]!);
  const other = await at(admins[1]!);
  await openMonthOf(page, from);
  await openMonthOf(other, to);
  await expect(event(page, name)).toContainText("12:00");
  await expect(event(other, name)).toBeVisible();

  await dragTo(page, name, to);
  await expect(page.getByText("Agendamento movido para")).toBeVisible();
  await expect.poll(async () => (await read(alone, made)).sendAt).toBe(to.toISOString());
  const cell = other.locator(`[data-date="${dayOf(to)}"]`).first();
  await expect
    .poll(async () => {
      const [day, shown] = await Promise.all([cell.boundingBox(), event(other, name).boundingBox()]);
      return day && shown && shown.x >= day.x - 1 && shown.x < day.x + day.width;
    })
    .toBe(true);
});

test("what the server refuses goes back to its day, and a day that has passed takes nothing (O-03)", async ({
  alone,
  at,
}) => {
  const name = uniqueName("Cliente");
  const made = await schedule(alone, name, noonIn(1));
  const page = await at(await createUser(alone, uniqueName("Ana"), { profile: "admin" }));
  await page.goto("/schedules");
  await page.getByRole("tab", { name: "Semana" }).click();
  await page.getByRole("tab", { name: "Mês" }).click();
  if (!(await event(page, name).isVisible())) {
    await page.getByRole("button", { name: "Próximo" }).click();
  }
  await expect(event(page, name)).toBeVisible();
  const before = (await event(page, name).boundingBox())!;
  await page.route(`**/schedules/${made.id}`, (route) =>
    route.fulfill({ status: 500, json: { error: "ERR_INTERNAL", requestId: "x" } }),
  );
  await dragTo(page, name, noonIn(2));
  await expect(page.getByText("Agendamento movido para")).toBeHidden();
  await expect.poll(async () => (await event(page, name).boundingBox())?.x).toBe(before.x);
  expect((await read(alone, made)).sendAt).toBe(made.sendAt);

  await page.getByRole("button", { name: "Anterior" }).click();
  await page.getByRole("button", { name: "Anterior" }).click();
  const passed = dayOf(new Date(Date.now() - 40 * dayMs)).slice(0, 8);
  await page
    .locator(`[data-date^="${passed}"]`)
    .first()
    .click({ position: { x: 20, y: 50 } });
  await expect(page.getByText("Escolha uma hora que ainda não passou.")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("the text of one that the day's cap holds is changed in the form, though its time has passed (O-03, P-03)", async ({
  alone,
  at,
}) => {
  const line = await connectLine(alone, uniqueName("Linha"));
  const lines = [{ whatsappId: line.id, dailyCap: 1, warmUp: false }];
  await alone.call(sendingRulesApi.save, { body: { ...sendingDefaults, lines } });
  const passed = new Date(Date.now() - 120_000);
  const first = await schedule(alone, uniqueName("Primeiro"), passed);
  await expect.poll(async () => (await read(alone, first)).sentAt).not.toBeNull();
  const name = uniqueName("Cliente");
  const held = await schedule(alone, name, passed);
  await expect.poll(async () => (await read(alone, held)).heldReason).toBe("dailyCap");

  const page = await at(await createUser(alone, uniqueName("Ana"), { profile: "admin" }));
  await page.goto("/schedules");
  await page.getByRole("tab", { name: "Agenda" }).click();
  await event(page, name).first().click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(/^Espera até/)).toBeVisible();
  await dialog.getByRole("textbox", { name: "Mensagem" }).fill("Melhor assim");
  await dialog.getByRole("button", { name: "Salvar" }).click();
  await expect(page.getByText("Agendamento salvo com sucesso.")).toBeVisible();
  const { body, sendAt, heldReason } = await read(alone, held);
  expect([body, sendAt, heldReason]).toEqual(["Melhor assim", passed.toISOString(), "dailyCap"]);
});

test("what is put back in the form after a lost answer is put back on the server: text, time and file (O-03)", async ({
  alone,
  at,
}) => {
  const name = uniqueName("Cliente");
  const day = noonIn(3);
  const one = await schedule(alone, name, day);
  const page = await at(await createUser(alone, uniqueName("Ana"), { profile: "admin" }));
  await openMonthOf(page, day);
  await event(page, name).click();
  const dialog = page.getByRole("dialog");
  const text = dialog.getByRole("textbox", { name: "Mensagem" });
  const save = dialog.getByRole("button", { name: "Salvar" });
  const shownTime = await when(dialog).inputValue();
  await text.fill("Amanhã não abrimos");
  await typeWhen(when(dialog), `${writtenDay(noonIn(5))} 18:00`);
  await dialog.locator("input[type=file]").setInputFiles(photo);
  const lost = await loseAnswer(page, "PUT", /\/schedules\/\d+$/u);
  await save.click();
  await expect.poll(lost).toBe(1);
  await expect(save).toBeEnabled();
  expect(await read(alone, one)).toMatchObject({
    body: "Amanhã não abrimos",
    mediaName: expect.any(String) as unknown,
  });

  await text.fill(one.body);
  await typeWhen(when(dialog), shownTime);
  await dialog.getByRole("button", { name: /^Remover o anexo/ }).click();
  await save.click();
  await expect(page.getByText("Agendamento salvo com sucesso.")).toBeVisible();
  expect(await read(alone, one)).toMatchObject({ body: one.body, sendAt: one.sendAt, mediaUrl: null });
});

test("a click on a day opens the form, whose contact is found by name and whose day by keyboard; it is edited and deleted (O-03, Z-05)", async ({
  alone,
  at,
}) => {
  const name = uniqueName("Cliente");
  const number = `55119${Math.floor(10_000_000 + Math.random() * 89_999_999)}`;
  await alone.call(contacts.create, { body: { name, number } });
  const page = await at(await createUser(alone, uniqueName("Ana"), { profile: "admin" }));
  const day = noonIn(9);
  await openMonthOf(page, day);
  await page
    .locator(`[data-date="${dayOf(day)}"]`)
    .first()
    .click({ position: { x: 20, y: 50 } });
  const dialog = page.getByRole("dialog");
  await expect(when(dialog)).toHaveValue(`${writtenDay(day)} 09:00`);
  await when(dialog).press("ArrowDown");
  const month = page.getByRole("dialog", { name: "Calendário: Data e hora" });
  await expect(month.getByRole("button", { name: /, escolhido$/ })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(month.getByRole("button", { name: /, escolhido$/ })).toContainText(
    String(Number(dayOf(noonIn(10)).slice(8))),
  );
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await month.getByRole("button", { name: "Pronto" }).click();
  await expect(when(dialog)).toHaveValue(`${writtenDay(day)} 09:00`);
  const lookups = (url: URL) => url.pathname === "/contacts/list";
  await page.route(lookups, (route) => route.abort());
  await dialog.getByRole("combobox").fill(name.slice(0, 12));
  const retry = page.getByRole("alert").getByRole("button", { name: "Tentar novamente" });
  await expect(retry).toBeVisible();
  await page.unroute(lookups);
  await retry.click();
  await expect(page.getByRole("option", { name })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("button", { name: "Trocar de contato" })).toBeFocused();
  await dialog.getByRole("textbox", { name: "Mensagem" }).fill("Oi");
  await dialog.getByRole("button", { name: "Agendar" }).click();
  await expect(dialog.getByText("Mensagem muito curta")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Mensagem" }).fill("Oi {{firstName}}, veja a foto");
  // A file that the server refuses does not keep the next one from being saved.
  const program = { name: "foto.exe", mimeType: "image/jpeg", buffer: Buffer.from("MZ\u0090\u0000\u0003".repeat(40)) };
  await dialog.locator("input[type=file]").setInputFiles(program);
  await dialog.getByRole("button", { name: "Agendar" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.locator("input[type=file]").setInputFiles(photo);
  await dialog.getByRole("button", { name: "Agendar" }).click();
  await expect(page.getByText("Agendamento salvo com sucesso.")).toBeVisible();
  await expect(event(page, name)).toContainText("09:00");
  await expect(page.getByRole("heading", { name: "Agendamentos 1" })).toBeVisible();

  await page.keyboard.press("Escape");
  await event(page, name).focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: `Editar: ${name}, 09:00` })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("heading", { name: "Mensagem Pendente" })).toBeVisible();
  await dialog.getByRole("button", { name: "Remover o anexo foto.jpg" }).click();
  await page.getByRole("button", { name: "Remover", exact: true }).click();
  await expect(page.getByText("Mídia excluída com sucesso.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Remover o anexo foto.jpg" })).toHaveCount(0);
  await typeWhen(when(dialog), `${writtenDay(day)} 10h30`);
  await dialog.getByRole("button", { name: "Salvar" }).click();
  await expect(event(page, name)).toContainText("10:30");

  await event(page, name).hover();
  await page.getByRole("button", { name: `Excluir: ${name}, 10:30` }).click();
  await page.getByRole("button", { name: "Excluir", exact: true }).click();
  await expect(event(page, name)).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Agendamentos 0" })).toBeVisible();
});

/** What a browser has only where the page came over HTTPS or from this machine, and not by http://192.168… (decision 0288). */
function takeSecureContextAway(): void {
  Reflect.deleteProperty(Crypto.prototype, "randomUUID");
  Reflect.deleteProperty(Crypto.prototype, "subtle");
  for (const name of ["clipboard", "locks", "mediaDevices", "serviceWorker", "storage"]) {
    Reflect.deleteProperty(Navigator.prototype, name);
  }
  Reflect.deleteProperty(window, "caches");
}

test("the arrow beside Send schedules text and file at a time that is typed or offered, and the draft goes only then; text, file and note go out over plain http too (T-19, T-21, M-05, M-06, Z-05)", async ({
  admin,
  at,
  customer,
}) => {
  await customer.says("Oi");
  const page = await at(await createUser(admin, uniqueName("Ana"), { profile: "admin" }), {
    prepare: (context) => context.addInitScript(takeSecureContextAway),
  });
  await accept(page, customer.name);
  const field = page.getByRole("textbox", { name: "Mensagem" });
  await field.fill("Amanhã eu te ligo");
  await page.getByTestId("attach-input").setInputFiles(photo);
  await page.getByRole("button", { name: "Enviar mais tarde" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("textbox", { name: "Mensagem" })).toHaveValue("Amanhã eu te ligo");
  await dialog.getByRole("button", { name: "Cancelar" }).click();
  await expect(field).toHaveValue("Amanhã eu te ligo");

  await page.getByRole("button", { name: "Enviar mais tarde" }).click();
  await typeWhen(when(dialog), "31/02 9h");
  await dialog.getByRole("button", { name: "Agendar" }).click();
  await expect(dialog.getByText("Este dia não existe.")).toBeVisible();
  await typeWhen(when(dialog), "depois de amanha 9h30");
  await expect(when(dialog)).toHaveValue(`${writtenDay(noonIn(2))} 09:30`);
  await dialog.getByRole("button", { name: "Amanhã 9h" }).click();
  await expect(when(dialog)).toHaveValue(`${writtenDay(noonIn(1))} 09:00`);
  await dialog.getByRole("button", { name: "Agendar" }).click();
  await expect(page.getByText("Agendamento salvo com sucesso.")).toBeVisible();
  await expect(field).toHaveValue("");
  const { schedules } = await admin.call(scheduledMessages.list, { query: { searchParam: customer.name } });
  expect(schedules).toMatchObject([{ body: "Amanhã eu te ligo", mediaName: "foto.jpg", status: "PENDENTE" }]);
  expect(schedules[0]!.sendAt).toBe(`${dayOf(noonIn(1))}T12:00:00.000Z`);

  await write(page, "Combinado");
  await expect(bubble(page, "Combinado").getByRole("img", { name: /Entregue|Lida/ })).toBeVisible();
  await page.getByTestId("attach-input").setInputFiles(photo);
  await write(page, "A foto de hoje");
  await expect(bubble(page, "A foto de hoje").getByRole("img", { name: /Entregue|Lida/ })).toBeVisible();
  await page.getByRole("tab", { name: "Nota" }).click();
  await page.getByRole("textbox", { name: "Nota para a equipe" }).fill("prefere de manhã");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("conversation").getByText("prefere de manhã")).toBeVisible();

  // sent within seconds of its time, as the caption of its picture
  await admin.call(scheduledMessages.update, {
    params: { id: schedules[0]!.id },
    body: { sendAt: new Date().toISOString() },
  });
  await expect(bubble(page, "Amanhã eu te ligo").getByRole("img").first()).toBeVisible();
});

test("?contactId= opens the form for that contact; what was sent cannot be sent again (O-03)", async ({
  admin,
  at,
  customer,
}) => {
  await customer.says("Oi");
  const page = await at(await createUser(admin, uniqueName("Ana"), { profile: "admin" }));
  const { contacts: found } = await admin.call(contacts.list, { query: { searchParam: customer.name.toLowerCase() } });
  const contactId = found[0]!.id;
  await page.goto(`/schedules?contactId=${contactId}`);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(customer.name)).toBeVisible();
  await dialog.getByRole("button", { name: "Fechar" }).click();
  await expect(page).toHaveURL(/\/schedules$/);

  const body = { body: "Já vai agora", contactId, sendAt: new Date().toISOString() };
  const made = await admin.call(scheduledMessages.create, { body });
  await expect.poll(async () => (await read(admin, made)).status).toBe("ENVIADA");
  await page.getByRole("tab", { name: "Agenda" }).click();
  await event(page, customer.name).first().click();
  await expect(dialog.getByRole("heading", { name: "Mensagem Enviada" })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Salvar" })).toHaveCount(0);
});

test("a deleted contact takes its schedules off every calendar (O-03)", async ({ alone, at }) => {
  const name = uniqueName("Cliente");
  const made = await schedule(alone, name, noonIn(8));
  const page = await at(await createUser(alone, uniqueName("Ana"), { profile: "admin" }));
  await openMonthOf(page, noonIn(8));
  await expect(event(page, name)).toBeVisible();
  await alone.call(contacts.remove, { params: { id: made.contactId } });
  await expect(event(page, name)).toHaveCount(0);
});

test("a phone shows the agenda, where everything is reached by touch; nothing scrolls sideways (O-03)", async ({
  alone,
  at,
}) => {
  const name = uniqueName("Maria Aparecida dos Santos de Oliveira e");
  await schedule(alone, name, new Date(Date.now() + 3_600_000));
  const page = await at(await createUser(alone, uniqueName("Ana"), { profile: "admin" }), {
    width: 360,
    hasTouch: true,
  });
  await page.goto("/schedules");
  await expect(page.getByRole("tab", { name: "Agenda" })).toHaveAttribute("aria-selected", "true");
  await event(page, name).tap();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Excluir" })).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Cancelar" }).tap();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  await page.getByRole("tab", { name: "Semana" }).tap();
  await expect(page.getByText(/^[DSTQ] \d{1,2}$/).first()).toBeVisible();
});

test("calendar and form have no accessibility violations, in both themes (E-01)", async ({ alone, at }) => {
  await schedule(alone, uniqueName("Cliente"), new Date(Date.now() + 3_600_000));
  const account = await createUser(alone, uniqueName("Ana"), { profile: "admin" });
  const page = await at(account);
  await page.goto("/schedules");
  for (const view of ["Mês", "Semana", "Agenda"]) {
    await page.getByRole("tab", { name: view }).click();
    await expect(page.getByRole("tab", { name: view })).toHaveAttribute("aria-selected", "true");
    expect(await accessibilityViolations(page, "light")).toEqual([]);
  }
  await page.getByRole("button", { name: "Usar tema escuro" }).click();
  expect(await accessibilityViolations(page, "dark")).toEqual([]);
});

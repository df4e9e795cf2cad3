import type { Locator } from "@playwright/test";
import { connections, type Connection } from "@prosa/contract";
import { uniqueName, connectLine, createUser, type ApiClient } from "./support/api.ts";
import { expect, journeyWidths, test } from "./support/journey.ts";

/** A simulator line that is not linked yet, and the number of its owner's phone. */
async function unlinkedLine(admin: ApiClient, name: string): Promise<Connection & { readonly owner: string }> {
  const { id } = await admin.call(connections.create, { body: { name, provider: "simulator" } });
  const line = () => admin.call(connections.get, { params: { id }, query: {} });
  await expect.poll(async () => (await line()).qrcode, { timeout: 60_000 }).not.toBe("");
  return { ...(await line()), owner: String(551_130_000_000 + id) };
}

test("a line is linked by phone number: the code stays, with its countdown, until the phone has it (W-03)", async ({
  admin,
  at,
}) => {
  const line = await unlinkedLine(admin, uniqueName("Linha por número"));
  const desk = await at(await createUser(admin, uniqueName("Lúcia"), { profile: "admin" }));
  await desk.goto("/connections");
  const row = desk.getByRole("row", { name: new RegExp(line.name) });
  const dialog = desk.getByRole("dialog");
  const code = dialog.getByRole("status", { name: "Código de pareamento" });

  await test.step("the code comes and stays, with the time that is left", async () => {
    await row.getByRole("button", { name: "QR Code" }).click();
    await dialog.getByRole("button", { name: "Conectar pelo número" }).click();
    await dialog.getByRole("textbox", { name: "Número do telefone" }).fill(line.owner);
    await dialog.getByRole("button", { name: "Gerar código" }).click();
    await expect(code).toHaveText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    const left = dialog.getByRole("timer");
    const first = await left.textContent();
    await expect(left).not.toHaveText(first ?? "");
    await expect(code).toBeVisible();
  });

  await test.step("a dialog that was closed shows the same code again", async () => {
    const shown = await code.textContent();
    await desk.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await row.getByRole("button", { name: "Ver código" }).click();
    await expect(code).toHaveText(shown ?? "");
  });

  await test.step("who would rather scan gets a QR, and who comes back another code", async () => {
    await dialog.getByRole("button", { name: "Conectar por QR Code" }).click();
    await expect(dialog.getByRole("img", { name: "QR Code para conectar" })).toBeVisible();
    await dialog.getByRole("button", { name: "Conectar pelo número" }).click();
    await dialog.getByRole("textbox", { name: "Número do telefone" }).fill(line.owner);
    await dialog.getByRole("button", { name: "Gerar código" }).click();
    await expect(code).toBeVisible();
  });

  await test.step("the phone takes the code: the dialog closes, the line is connected", async () => {
    await dialog.getByRole("button", { name: "Digitar no telefone do simulador" }).click();
    await expect(dialog).toBeHidden();
    await expect(row.locator("[data-status]")).toHaveAttribute("data-status", "CONNECTED");
  });
});

test("a code that nobody typed in time says so, and another one is asked for (W-03)", async ({ admin, at }) => {
  const line = await unlinkedLine(admin, uniqueName("Linha sem pressa"));
  const desk = await at(await createUser(admin, uniqueName("Lúcia"), { profile: "admin" }));
  await desk.clock.install();
  await desk.goto("/connections");
  const row = desk.getByRole("row", { name: new RegExp(line.name) });
  const dialog = desk.getByRole("dialog");
  const code = dialog.getByRole("status", { name: "Código de pareamento" });
  const isOver = dialog.getByText("O código expirou. Gere outro.");
  const getCode = dialog.getByRole("button", { name: "Gerar código" });
  await row.getByRole("button", { name: "QR Code" }).click();
  await dialog.getByRole("button", { name: "Conectar pelo número" }).click();
  await dialog.getByRole("textbox", { name: "Número do telefone" }).fill(line.owner);
  await getCode.click();
  await expect(code).toHaveText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  const first = await code.textContent();

  await test.step("at the end of its time there is no code, and a word that says why", async () => {
    await expect(dialog.getByRole("timer")).toHaveText(/^[12]:\d\d$/);
    await desk.clock.setSystemTime(Date.now() + 170_000);
    await expect(isOver).toBeVisible();
    await expect(code).toBeHidden();
  });

  await test.step("who looks again later reads the same", async () => {
    await desk.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await row.getByRole("button", { name: "Ver código" }).click();
    await expect(isOver).toBeVisible();
  });

  await test.step("another one is shown, with its own time", async () => {
    await dialog.getByRole("textbox", { name: "Número do telefone" }).fill(line.owner);
    await getCode.click();
    await expect(code).toHaveText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    await expect(code).not.toHaveText(first ?? "");
    await expect(dialog.getByRole("timer")).toHaveText(/^[12]:\d\d$/);
  });

  await test.step("who does not want to link it after all disconnects it (W-04)", async () => {
    await desk.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await row.getByRole("button", { name: "Desconectar" }).click();
    await desk.getByRole("alertdialog").getByRole("button", { name: "Desconectar" }).click();
    await expect(row.locator("[data-status]")).toHaveAttribute("data-status", "DISCONNECTED");
  });
});

test("a line that is linked to another number asks before it goes on, and unlinks it or takes it (W-03)", async ({
  admin,
  at,
  product,
}) => {
  const line = await connectLine(admin, uniqueName("Linha trocada"));
  const network = await product.network();
  const other = "5511340000001";
  await network.call("phone", { number: other, name: "Outro telefone" });
  const devices = async () => (await network.call("phone", { number: other })).devices.length;
  const desk = await at(await createUser(admin, uniqueName("Lúcia"), { profile: "admin" }));
  await desk.goto("/connections");
  const row = desk.getByRole("row", { name: new RegExp(line.name) });
  const dialog = desk.getByRole("dialog");
  const linkTheOther = async () => {
    await admin.call(connections.renew, { params: { id: line.id }, body: {} });
    const qr = async () => (await admin.call(connections.get, { params: { id: line.id }, query: {} })).qrcode;
    await expect.poll(qr).not.toBe("");
    await network.call("scan", { number: other, qr: await qr() });
    await row.getByRole("button", { name: "Decidir" }).click();
    await expect(dialog).toContainText(/\+55 11 3000-\d{4}.*\+55 11 34000-0001/s);
  };

  await test.step("unlinked, the phone has no device and the line its old number", async () => {
    await linkTheOther();
    expect(await devices()).toBe(1);
    await dialog.getByRole("button", { name: "Cancelar e desvincular" }).click();
    await expect(dialog).toBeHidden();
    await expect.poll(devices).toBe(0);
    await expect(row.locator("[data-status]")).toHaveAttribute("data-status", "DISCONNECTED");
  });

  await test.step("accepted, the line is connected with the new number", async () => {
    await linkTheOther();
    await dialog.getByRole("button", { name: "Continuar com o novo número" }).click();
    await expect(dialog).toBeHidden();
    await expect(row.locator("[data-status]")).toHaveAttribute("data-status", "CONNECTED");
    expect((await admin.call(connections.get, { params: { id: line.id }, query: {} })).number).toBe(other);
  });
});

for (const width of journeyWidths(360, 1366)) {
  test(`how a line stands, why, and what to do about it are read in full at ${width} px (W-01)`, async ({
    admin,
    at,
  }) => {
    const line = await unlinkedLine(admin, uniqueName("Linha parada"));
    const desk = await at(await createUser(admin, uniqueName("Lia"), { profile: "admin" }), { width });
    await desk.goto("/connections");
    const row = desk.getByRole("row", { name: new RegExp(line.name) });
    const state = row.getByRole("cell").filter({ has: desk.locator("[data-status]") });
    const session = row.getByRole("cell").filter({ has: desk.getByRole("button", { name: "QR Code" }) });
    await expect(state).toContainText("Aguardando leitura do QR");
    expect(await cutIn(state)).toEqual([]);
    expect(await cutIn(session)).toEqual([]);

    await admin.call(connections.stop, { params: { id: line.id } });
    await expect(row.getByRole("button", { name: "Tentar novamente" })).toBeVisible();
    expect(await cutIn(state)).toEqual([]);
    expect(await cutIn(session)).toEqual([]);
  });
}

/** Texts of a cell that are clipped (wider than their box). */
function cutIn(cell: Locator): Promise<string[]> {
  return cell.evaluate((box) =>
    [box, ...box.querySelectorAll("*")]
      .filter((part) => part instanceof HTMLElement && part.clientWidth > 0 && part.scrollWidth > part.clientWidth)
      .map((part) => part.textContent),
  );
}

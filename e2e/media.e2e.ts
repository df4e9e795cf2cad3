import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { simulator, tickets } from "@prosa/contract";
import { addCustomer, uniqueName, createQueue, createUser, photo, ticketOf, type Customer } from "./support/api.ts";
import { accept, bubble, chooseInBubble, write } from "./support/desk.ts";
import { expect, journeyWidths, test } from "./support/journey.ts";

const conversation = (page: Page) => page.getByTestId("conversation");
const seen = async (customer: Customer) => (await customer.sees()).filter(({ fromMe }) => !fromMe);

async function attach(page: Page, names: readonly string[]): Promise<void> {
  const buffer = await readFile(photo);
  await page.getByTestId("attach-input").setInputFiles(names.map((name) => ({ name, mimeType: "image/jpeg", buffer })));
}

/** Pastes into the focused element. */
async function paste(page: Page, name: string, bytes: Buffer): Promise<void> {
  await (
    await carrying(page, name, bytes)
  ).evaluate((clipboardData) =>
    document.activeElement?.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    ),
  );
}

/** A file as in a paste or drop event. */
function carrying(page: Page, name: string, bytes: Buffer) {
  return page.evaluateHandle(
    ({ name: fileName, data }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(data)], fileName, { type: "image/jpeg" }));
      return transfer;
    },
    { name, data: [...bytes] },
  );
}

/** A phone has the signature in the menu of the composer. */
async function stopSigning(page: Page, width: number): Promise<void> {
  if (width >= 600) {
    await page.getByRole("switch", { name: "assina" }).uncheck();
    return;
  }
  await page.getByRole("button", { name: "Anexar e mais opções" }).click();
  const signs = page.getByRole("menuitem", { name: "assina" });
  await expect(signs).toHaveAttribute("aria-current", "true");
  await signs.click();
}

const fromEnd = (scroller: Locator) =>
  scroller.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);

for (const width of journeyWidths(360, 1280)) {
  test(`a voice note, an album, a cancelled upload and a refused file, ${width} px wide (M-04, M-06, M-07)`, async ({
    at,
    admin,
    customer,
  }) => {
    const page = await at(await createUser(admin, uniqueName("Lena")), { width });
    await customer.says("Pode mandar as fotos?");
    await accept(page, customer.name);
    await expect(bubble(page, "Pode mandar as fotos?")).toBeVisible();

    await test.step("a recording shows how loud and how long it is; cancelled, it leaves nothing", async () => {
      await page.getByRole("button", { name: "Gravar mensagem de voz" }).click();
      const recorder = page.getByRole("group", { name: "Gravando mensagem de voz" });
      await expect(recorder.getByRole("timer")).toHaveText(/^0:(0[1-9]|[1-5]\d)$/);
      // the fake microphone beeps once a second
      const level = async () => Number(await recorder.getByRole("meter").getAttribute("aria-valuenow"));
      await expect.poll(level, { intervals: [20] }).toBeGreaterThan(30);
      await recorder.getByRole("button", { name: "Cancelar gravação" }).click();
      await expect(recorder).toBeHidden();
      await expect(page.getByRole("textbox", { name: "Mensagem" })).toBeVisible();
    });

    await test.step("one that is cancelled while it is being made ready is not sent either", async () => {
      const encoder = Promise.withResolvers<void>();
      await page.route(/\.wasm/u, (route) => encoder.promise.then(() => route.continue()));
      await page.getByRole("button", { name: "Gravar mensagem de voz" }).click();
      const recorder = page.getByRole("group", { name: "Gravando mensagem de voz" });
      await expect(recorder.getByRole("timer")).toHaveText(/^0:(0[1-9]|[1-5]\d)$/);
      await recorder.getByRole("button", { name: "Enviar mensagem de voz" }).click();
      await recorder.getByRole("button", { name: "Cancelar gravação" }).click();
      await expect(recorder).toBeHidden();
      const loaded = page.waitForResponse(/\.wasm/u);
      encoder.resolve();
      await (await loaded).finished();
      await page.unroute(/\.wasm/u);
    });

    await test.step("a recording that is sent is a voice note on the customer's phone", async () => {
      await page.getByRole("button", { name: "Gravar mensagem de voz" }).click();
      const recorder = page.getByRole("group", { name: "Gravando mensagem de voz" });
      await expect(recorder.getByRole("timer")).toHaveText(/^0:(0[2-9]|[1-5]\d)$/);
      await page.keyboard.press("Enter");
      await expect(conversation(page).getByRole("button", { name: "Tocar" })).toBeVisible();
      await expect(conversation(page).getByRole("img", { name: /Entregue|Lida/ })).toBeVisible();
      // the player plays the recorded MP3
      const audio = conversation(page).locator("audio");
      await expect.poll(() => audio.evaluate((player: HTMLAudioElement) => player.duration)).toBeGreaterThan(1.9);

      const line = conversation(page).getByRole("slider", { name: "Posição do áudio" });
      await line.press("ArrowRight");
      await expect(line).toHaveAttribute("aria-valuenow", (await line.getAttribute("aria-valuemax")) ?? "");
      const reached = await line.locator("span").boundingBox();
      expect(reached!.width).toBeCloseTo((await line.boundingBox())!.width, 0);
      await line.press("ArrowLeft");
      await expect(line).toHaveAttribute("aria-valuenow", "0");

      const [voice] = await seen(customer);
      expect(voice).toMatchObject({ kind: "audio" });
      const heard = await fetch(voice!.mediaUrl!);
      expect(heard.headers.get("content-type")).toContain("audio/ogg");
      const bytes = Buffer.from(await heard.arrayBuffer());
      expect([bytes.subarray(0, 4).toString(), bytes.includes("OpusHead")]).toEqual(["OggS", true]);
    });

    await test.step("three photos with captions go out in order and stand as one album", async () => {
      await stopSigning(page, width);
      await attach(page, ["um.jpg", "dois.jpg", "tres.jpg"]);
      await page.getByRole("textbox", { name: "Legenda: um.jpg" }).fill("A frente");
      await page.getByRole("textbox", { name: "Legenda: dois.jpg" }).fill("O lado");
      await page.getByRole("textbox", { name: "Legenda: tres.jpg" }).fill("O fundo");
      await page.getByRole("button", { name: "Enviar", exact: true }).click();

      const album = conversation(page).getByRole("group", { name: "3 fotos" });
      await expect(album.getByRole("button", { name: "Ampliar foto" })).toHaveCount(3);
      await expect(album).toContainText("O lado");
      await expect
        .poll(async () => (await seen(customer)).slice(1).map(({ kind, text }) => [kind, text]))
        .toEqual([
          ["image", "A frente"],
          ["image", "O lado"],
          ["image", "O fundo"],
        ]);
      await expect.poll(() => fromEnd(conversation(page))).toBeLessThan(3);
    });

    await test.step("a tile opens enlarged, and arrows lead to the others", async () => {
      await conversation(page).getByRole("button", { name: "Ampliar foto" }).first().click();
      const box = page.getByRole("dialog", { name: "Foto ampliada" });
      await expect(box).toContainText("A frente");
      await page.keyboard.press("ArrowRight");
      await expect(box).toContainText("O lado");
      await expect(box).toContainText("2 de 3");
      await page.keyboard.press("Escape");
      await expect(box).toBeHidden();
    });

    await test.step("an upload that is cancelled is not sent, and holds nobody up", async () => {
      const upload = Promise.withResolvers<void>();
      let isHeld = true;
      await page.route(/\/messages\/\d+$/, async (route) => {
        // the server does not answer; the browser cancels the upload
        if (isHeld && route.request().method() === "POST") {
          upload.resolve();
        } else {
          await route.continue();
        }
      });
      await attach(page, ["engano.jpg"]);
      await page.getByRole("button", { name: "Enviar", exact: true }).click();
      await expect(conversation(page).getByRole("progressbar", { name: "Enviando engano.jpg" })).toBeVisible();
      // shown a moment before it is sent
      await upload.promise;
      isHeld = false;
      await conversation(page).getByRole("button", { name: "Cancelar" }).click();
      await expect(conversation(page).getByRole("progressbar")).toBeHidden();
      await write(page, "Era outra");
      await expect(bubble(page, "Era outra").getByRole("img", { name: /Entregue|Lida/ })).toBeVisible();
      expect(await seen(customer)).toHaveLength(5);
    });

    await test.step("a refused type says so for that file: by its name at once, by its content from the server", async () => {
      await page.getByTestId("attach-input").setInputFiles([
        { name: "fatura.exe", mimeType: "application/pdf", buffer: Buffer.from("anything") },
        { name: "nota.jpg", mimeType: "image/jpeg", buffer: Buffer.from("MZ".padEnd(600, "\0")) },
      ]);
      const refused = page.getByRole("alert").filter({ hasText: "fatura.exe" });
      await expect(refused).toContainText("de um tipo que não é aceito");
      await page.getByRole("button", { name: "Dispensar aviso sobre fatura.exe" }).click();
      await expect(refused).toBeHidden();

      await page.getByRole("button", { name: "Enviar", exact: true }).click();
      const failed = conversation(page).getByRole("alert");
      await expect(failed).toContainText("Este tipo de arquivo não é aceito.");
      await expect(failed.getByRole("button", { name: "Enviar só o texto" })).toBeHidden();
      await failed.getByRole("button", { name: "Descartar" }).click();
      await expect(failed).toBeHidden();
      expect(await seen(customer)).toHaveLength(5);
    });

    await test.step("the words of a refused file can go without it", async () => {
      await page
        .getByTestId("attach-input")
        .setInputFiles({ name: "nota.jpg", mimeType: "image/jpeg", buffer: Buffer.from("MZ".padEnd(600, "\0")) });
      await write(page, "O total é 40");
      await conversation(page).getByRole("alert").getByRole("button", { name: "Enviar só o texto" }).click();
      await expect(bubble(page, "O total é 40").getByRole("img", { name: /Entregue|Lida/ })).toBeVisible();
      expect((await seen(customer)).slice(5)).toMatchObject([{ text: "O total é 40" }]);
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}

test("pictures that a customer sends one after the other are one album of four tiles; the last leads on to the rest (M-04)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Caio")));
  await customer.says("Olha como ficou");
  await accept(page, customer.name);
  for (let n = 1; n <= 6; n += 1) {
    await customer.sendsPhoto(n === 2 ? "o canto de perto" : "");
  }
  const album = conversation(page).getByRole("group", { name: "6 fotos" });
  await expect(album.getByRole("button", { name: "Ampliar foto" })).toHaveCount(4);
  await expect(album).toContainText("+2");
  // one caption for the whole album
  await expect(album).not.toContainText("o canto de perto");
  await expect(bubble(page, "o canto de perto")).toBeVisible();
  await expect.poll(() => fromEnd(conversation(page))).toBeLessThan(3);

  await album.getByRole("button", { name: "Ampliar foto" }).last().click();
  const box = page.getByRole("dialog", { name: "Foto ampliada" });
  await expect(box).toContainText("4 de 6");
  await box.getByRole("button", { name: "Próxima" }).click();
  await expect(box).toContainText("5 de 6");

  // Pictures whose files have not come open all the same, say so and can be closed.
  await page.route(/\/messages\/\d+\?/u, async (route) => {
    const answer = await route.fetch();
    const json = (await answer.json()) as { messages: { mediaUrl: string | null; media: { state: string } | null }[] };
    for (const message of json.messages.filter(({ media }) => media !== null)) {
      Object.assign(message, { mediaUrl: null, media: { ...message.media, state: "fetching" } });
    }
    await route.fulfill({ response: answer, json });
  });
  await page.reload();
  await album.getByRole("button", { name: "Ampliar foto" }).last().click();
  await expect(box.getByRole("status")).toContainText("Baixando arquivo…");
  await box.getByRole("button", { name: "Fechar" }).click();
  await expect(box).toBeHidden();
});

test("each card of a message leads to a conversation, or to the sentence who has it (M-04, T-16)", async ({
  at,
  admin,
  line,
  customer,
  product,
}) => {
  const queueId = await createQueue(admin, uniqueName("Indicações"), "#8a5a0a");
  const colleague = await createUser(admin, uniqueName("Lívia"));
  const [known, other] = [
    await addCustomer(admin, line, uniqueName("Rita")),
    await addCustomer(admin, line, uniqueName("Beto")),
  ];
  await known.says("Oi, aqui é a Rita");
  const { id } = await ticketOf(admin, known.name);
  await admin.call(tickets.update, { params: { id }, body: { status: "open", userId: colleague.id } });

  const page = await at(await createUser(admin, uniqueName("Nara"), { queueIds: [queueId] }));
  await customer.says("Fala com eles");
  await accept(page, customer.name);
  const network = await product.network();
  const { phone } = await admin.call(simulator.people, { params: { id: line.id } });
  const card = (name: string, phone: string) => ({
    displayName: name,
    vcard: ["BEGIN:VCARD", "VERSION:3.0", `FN:${name}`, ...(phone ? [phone] : []), "END:VCARD"].join("\n"),
  });
  const contacts = [
    card("Rita", `TEL;type=CELL;waid=${known.number}:+${known.number}`),
    card("Beto", `TEL;type=CELL:+${other.number}`),
    card("Portaria", ""),
  ];
  await network.call("says", {
    number: customer.number,
    to: phone.number,
    content: { raw: { contactsArrayMessage: { displayName: "3 contatos", contacts } } },
  });

  const shared = conversation(page).getByRole("listitem");
  await expect(shared).toHaveCount(3);
  await expect(shared.nth(2)).toContainText("Sem número do WhatsApp");
  await expect(shared.nth(2).getByRole("button")).toHaveCount(0);
  await page.getByRole("button", { name: "Conversar com Rita" }).click();
  await expect(page.getByText(`${colleague.name} já atende este contato`)).toBeVisible();
  const before = page.url();
  await page.getByRole("button", { name: "Conversar com Beto" }).click();
  await expect(page).not.toHaveURL(before);
  await write(page, "Oi, Beto!");
  await expect.poll(async () => (await seen(other)).at(-1)?.text).toContain("Oi, Beto!");
});

test("a recording that is too short, or without a microphone, says why nothing is sent (M-07)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Iara")));
  await customer.says("Me manda um áudio?");
  await accept(page, customer.name);
  const record = page.getByRole("button", { name: "Gravar mensagem de voz" });
  const recorder = page.getByRole("group", { name: "Gravando mensagem de voz" });
  // sent as soon as it can be, which a busy machine would do too late from outside
  await page.evaluate(() => {
    const watch = new MutationObserver(() => {
      const send = document.querySelector<HTMLElement>("[aria-label='Enviar mensagem de voz']:enabled");
      send?.click();
      return send && watch.disconnect();
    });
    watch.observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  await record.click();
  await expect(page.getByText("curta demais e foi descartada")).toBeVisible();
  await expect(recorder).toBeHidden();

  for (const [name, words] of [
    ["NotAllowedError", "não deixou usar o microfone"],
    ["NotFoundError", "Nenhum microfone foi encontrado"],
  ] as const) {
    await page.evaluate((refusal) => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no", refusal));
    }, name);
    await record.click();
    await expect(page.getByText(words)).toBeVisible();
    await expect(recorder).toBeHidden();
  }
  expect(await seen(customer)).toEqual([]);
});

test("files come by paste and by drop, anywhere on the conversation (M-06)", async ({ at, admin, customer }) => {
  const page = await at(await createUser(admin, uniqueName("Ugo")));
  await customer.says("Tem foto?");
  await accept(page, customer.name);
  const bytes = await readFile(photo);
  await page.getByRole("textbox", { name: "Mensagem" }).focus();
  await paste(page, "colada.jpg", bytes);
  await expect(page.getByText("colada.jpg")).toBeVisible();

  const dropped = { dataTransfer: await carrying(page, "solta.jpg", bytes) };
  await conversation(page).dispatchEvent("dragenter", dropped);
  await expect(page.getByText("Solte os arquivos para enviar")).toBeVisible();
  await conversation(page).dispatchEvent("drop", dropped);
  await expect(page.getByText("Solte os arquivos para enviar")).toBeHidden();
  await expect(page.getByText("solta.jpg")).toBeVisible();

  await page.getByRole("button", { name: "Tirar colada.jpg" }).click();
  await page.getByRole("button", { name: "Tirar solta.jpg" }).click();
  // a note has no files: what is dropped on it is for the reply, which is shown
  await page.getByRole("tab", { name: "Nota" }).click();
  await conversation(page).dispatchEvent("drop", {
    dataTransfer: await carrying(page, "na-nota.jpg", bytes),
  });
  await expect(page.getByText("na-nota.jpg")).toBeVisible();
  await expect(page.getByRole("tab", { name: "Responder" })).toHaveAttribute("aria-selected", "true");
  await write(page, "É esta");
  await expect
    .poll(async () => (await seen(customer)).map(({ kind, text }) => [kind, text.split("\n").at(-1)]))
    .toEqual([["image", "É esta"]]);
});

test("a signed answer begins with the name in bold and a newline; the switch is remembered (M-11, A-12)", async ({
  at,
  admin,
  customer,
}) => {
  const agent = await createUser(admin, uniqueName("Vera"));
  const page = await at(agent);
  await customer.says("Com quem falo?");
  await accept(page, customer.name);
  await expect(page.getByRole("switch", { name: "assina" })).toBeChecked();
  await write(page, "Bom dia");
  await expect.poll(async () => (await seen(customer))[0]?.text).toBe(`*${agent.name}*\nBom dia`);

  // copied here, it is the text alone
  await page.evaluate(() => {
    const writeText = (text: string) => Promise.resolve(sessionStorage.setItem("copied", text));
    Object.defineProperty(navigator, "clipboard", { value: { writeText } });
  });
  await chooseInBubble(page, "Bom dia", "Copiar");
  await expect(page.getByText("Texto copiado")).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem("copied"))).toBe("Bom dia");

  await page.getByRole("switch", { name: "assina" }).uncheck();
  expect(await page.evaluate(() => localStorage.getItem("signOption"))).toBe("false");
  await page.reload();
  await expect(page.getByRole("switch", { name: "assina" })).not.toBeChecked();
  await write(page, "Sem nome");
  await expect.poll(async () => (await seen(customer))[1]?.text).toBe("Sem nome");
});

test("an answer that grows to five rows keeps the end of the conversation in sight (M-05)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Noel")), { width: 1280 });
  for (let n = 1; n <= 25; n += 1) {
    await customer.says(`linha ${n}`);
  }
  await accept(page, customer.name);
  await expect(bubble(page, "linha 25")).toBeInViewport({ ratio: 1 });
  const field = page.getByRole("textbox", { name: "Mensagem" });
  const before = (await field.boundingBox())!.height;
  await field.fill(Array.from({ length: 9 }, (_, n) => `item ${n}`).join("\n"));
  const after = (await field.boundingBox())!.height;
  expect(after - before).toBe(4 * 21);
  await expect(bubble(page, "linha 25")).toBeInViewport({ ratio: 1 });
  await expect.poll(() => fromEnd(conversation(page))).toBeLessThan(3);
});

test("who answers while reading further up is taken to the answer (M-05)", async ({ at, admin, customer }) => {
  const page = await at(await createUser(admin, uniqueName("Ravi")), { width: 1280 });
  for (let n = 1; n <= 25; n += 1) {
    await customer.says(`linha ${n}`);
  }
  await accept(page, customer.name);
  await expect(bubble(page, "linha 25")).toBeInViewport({ ratio: 1 });
  await conversation(page).hover();
  // again where the menu gave its room to the conversation in the same moment
  await expect(async () => {
    await page.mouse.wheel(0, -900);
    await expect(page.getByRole("button", { name: "Ir para o fim" })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await write(page, "resposta de quem leu");
  await expect(bubble(page, "resposta de quem leu")).toBeInViewport({ ratio: 1 });
  await expect.poll(() => fromEnd(conversation(page))).toBeLessThan(3);
});

test("the bolt opens the quick replies; the chosen one joins what was written (M-12)", async ({
  at,
  admin,
  customer,
}) => {
  const page = await at(await createUser(admin, uniqueName("Davi")));
  await customer.says("Que horas abre?");
  await accept(page, customer.name);
  await page.getByRole("textbox", { name: "Mensagem" }).fill("Bom dia! ");
  await page.getByRole("button", { name: "Respostas rápidas" }).click();
  const panel = page.getByRole("dialog", { name: "Respostas rápidas" });
  // the drop target covers its own conversation, not the list beside it
  const left = (await page.getByTestId("conversation").boundingBox())!.x;
  await expect.poll(async () => (await panel.boundingBox())?.x).toBeGreaterThanOrEqual(left);
  const [first] = await panel.getByRole("option").locator("b").allInnerTexts();
  await panel.getByRole("combobox").fill(first ?? "");
  await expect(panel.getByRole("option").first()).toContainText(first ?? "");
  await page.keyboard.press("Enter");
  await expect(panel).toBeHidden();
  await expect(page.getByRole("textbox", { name: "Mensagem" })).toHaveValue(/^Bom dia! \S/);
});

test("the simulator's phone opens a chat of pictures at its last word (W-07)", async ({
  at,
  admin,
  line,
  customer,
}) => {
  await customer.sendsPhoto("De frente");
  await customer.sendsPhoto("De lado");
  await customer.sendsPhoto("Por dentro");
  await customer.says("Chegou assim.");
  const page = await at(await createUser(admin, uniqueName("Ivo"), { profile: "admin" }));
  await page.goto(`/simulator/${line.id}`);
  await page.getByRole("button", { name: customer.name }).click();

  const chat = page.getByTestId("phone-chat");
  await expect(chat.getByRole("img", { name: "Por dentro" })).toHaveJSProperty("complete", true);
  await expect(chat.getByText("Chegou assim.")).toBeInViewport();
});

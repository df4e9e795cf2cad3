/** A company pays by Pix, the operator marks the invoice, and an overdue company's admin is led to it. */
import { companies, invoices, subscription } from "@prosa/contract";
import { asOwner } from "../server/src/testing/as-owner.ts";
import { accessibilityViolations } from "./support/axe.ts";
import { createCompany, signInToApi } from "./support/api.ts";
import { demo, expect, test } from "./support/journey.ts";

/** In São Paulo, as the browser and the company count: in the evening UTC is a day ahead. */
const dayFromToday = (days: number) =>
  new Date(Date.now() + days * 86_400_000 - 3 * 3_600_000).toISOString().slice(0, 10);

test("a company subscribes by Pix, the operator marks its invoice as paid, the checkout says so and goes to /; an overdue company's admin lands on its invoices (A-03, F-01, F-02, F-04, F-06)", async ({
  at,
  product,
}) => {
  const operator = await signInToApi(product.url, demo.operator);
  const account = await createCompany(operator, { value: 149.9 });
  const { companies: found } = await operator.call(invoices.companies, { query: { searchParam: account.name } });
  const id = found[0]!.id;
  await operator.call(companies.update, { params: { id }, body: { dueDate: dayFromToday(5) } });

  // Before the browser of the same operator, whose sign-in ends this session.
  const late = await createCompany(operator, { value: 80 });
  const listed = await operator.call(invoices.companies, { query: { searchParam: late.name } });
  const past = { dueDate: dayFromToday(-2) };
  await operator.call(companies.update, { params: { id: listed.companies[0]!.id }, body: past });

  const desk = await at(demo.operator, { width: 1366 });
  await desk.goto("/settings?tab=billing");
  await desk.getByRole("button", { name: "Recebimento" }).click();
  const receiving = desk.getByRole("dialog", { name: "Recebimento" });
  await receiving.getByLabel("Chave Pix").fill("pix@prosa.example");
  await receiving.getByLabel("Nome do recebedor").fill("Prosa Atendimento");
  await receiving.getByLabel("Cidade do recebedor").fill("São Paulo");
  // Another operator chose Asaas while the form was open: the key is not left unused without a word, and what is typed stays.
  await desk.route("**/invoices/settings", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...((await answer.json()) as object), provider: "asaas" } });
  });
  await receiving.getByRole("button", { name: "Salvar" }).click();
  const changed = desk.getByRole("alertdialog", { name: "A forma de receber mudou" });
  await expect(changed).toContainText("“Asaas”");
  await changed.getByRole("button", { name: "Cancelar" }).click();
  await expect(receiving.getByLabel("Chave Pix")).toHaveValue("pix@prosa.example");
  await desk.unroute("**/invoices/settings");
  await receiving.getByRole("button", { name: "Salvar" }).click();
  await expect(desk.getByText("Recebimento salvo")).toBeVisible();

  const admin = await at(account, { width: 360 });
  const banner = admin.getByRole("status").filter({ hasText: /Sua assinatura vence em 5 dia\(s\)/ });
  await expect(banner.first()).toBeVisible();
  await admin.goto("/subscription");
  await expect(admin.getByText(account.email)).toBeVisible();
  await admin.getByRole("button", { name: "Assine agora" }).click();
  const checkout = admin.getByRole("dialog", { name: "Falta pouco!" });
  await expect(checkout.locator("[aria-current=step]")).toHaveText("Personalizar");
  // What will be paid is said before anything is ordered.
  await expect(checkout.getByText("Total", { exact: true }).locator("..")).toContainText("149,90");
  await checkout.getByRole("button", { name: "Próximo" }).click();
  await checkout.getByRole("button", { name: "Enviar" }).click();
  const words = [
    "O nome completo é obrigatório",
    "O Endereço é obrigatório",
    "Cidade é obrigatória",
    "CEP é obrigatório",
  ];
  for (const text of words) {
    await expect(checkout.getByText(text, { exact: true })).toBeVisible();
  }
  await checkout.getByLabel("Nome completo").fill("Ana Souza da Silva Albuquerque de Vasconcelos");
  await checkout.getByLabel("Endereço").fill("Rua das Flores, 12");
  await checkout.getByLabel("Cidade").fill("Recife");
  await checkout.getByLabel("CEP").fill("50000-000");
  // What the server refuses is said where it is entered. Enter goes on from there.
  const taxId = checkout.getByLabel("CPF ou CNPJ");
  const order = async (typed: string) => {
    await taxId.fill(typed);
    await taxId.press("Enter");
    await expect(checkout.locator("[aria-current=step]")).toHaveText("Personalizar");
    await checkout.getByRole("button", { name: "Próximo" }).click();
    await checkout.getByRole("button", { name: "Enviar" }).click();
  };
  await order("111.111.111-11");
  await expect(checkout.getByText("CPF ou CNPJ inválido", { exact: true })).toBeVisible();
  await expect(taxId).toBeFocused();
  const needed = { error: "ERR_VALIDATION", details: { fields: { taxId: "Required" } } };
  await admin.route("**/subscription", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 400, json: needed }) : route.fallback(),
  );
  await order("");
  await expect(checkout.getByText("Obrigatório", { exact: true })).toBeVisible();
  await expect(checkout.getByText("CPF ou CNPJ · opcional")).toBeHidden();
  await admin.unroute("**/subscription");
  await order("529.982.247-25");
  await expect(
    admin.getByText("Assinatura realizada com sucesso!, aguardando a realização do pagamento"),
  ).toBeVisible();
  const pix = admin.getByRole("dialog", { name: "Pague com Pix" });
  // On a phone the toast leaves the dialog's buttons free.
  await pix.getByRole("button", { name: "Copiar código Pix" }).click({ trial: true });
  await expect(pix.getByAltText("QR Code do Pix")).toHaveAttribute(
    "data-qr",
    /^000201.*pix@prosa\.example.*149\.90.*6304/,
  );
  expect(await accessibilityViolations(admin, "light", "[role=dialog]")).toEqual([]);
  // A second order knows the address that the first one brought.
  await admin.keyboard.press("Escape");
  await admin.getByRole("button", { name: "Assine agora" }).click();
  // a double click does not order without the review
  await checkout.getByRole("button", { name: "Próximo" }).dblclick();
  await expect(checkout).toContainText("Rua das Flores, 12");
  await checkout.getByRole("button", { name: "Enviar" }).click();
  await expect(pix.getByAltText("QR Code do Pix")).toBeVisible();

  await desk.getByRole("searchbox", { name: "Buscar empresa" }).fill(account.name);
  const row = desk.getByRole("row").filter({ hasText: account.name });
  await expect(row).toContainText("149,90");
  await row.getByText(account.name).click();
  await desk.getByRole("button", { name: /^Marcar como paga a fatura/ }).click();
  const mark = desk.getByRole("dialog", { name: /^Marcar como paga/ });
  await mark.getByLabel("Observação").fill("Pix conferido no extrato");
  await mark.getByRole("button", { name: "Marcar como paga" }).click();
  await expect(desk.getByText("Fatura marcada como paga")).toBeVisible();

  await expect(admin.getByText(/^Sua licença foi renovada até \d{2}\/\d{2}\/\d{4}!$/)).toBeVisible();
  await admin.waitForURL((url) => url.pathname === "/");
  await admin.goto("/financeiro");
  await expect(admin.getByRole("row").filter({ hasText: "149,90" })).toContainText("Pago");
  await admin.getByRole("button", { name: "Recibo" }).click();
  const receipt = admin.getByRole("dialog", { name: /^Recibo da fatura/ });
  await expect(receipt).toContainText("Pix conferido no extrato");
  // On paper it stands alone, on one page.
  await admin.emulateMedia({ media: "print" });
  await expect(receipt.getByRole("heading", { name: /^Recibo da fatura/, level: 1 })).toBeVisible();
  const pdf = (await admin.pdf({ format: "A4", printBackground: true })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/gu)).toHaveLength(1);
  await admin.emulateMedia({ media: null });

  // Nothing is open: the next period can be ordered from here, and what is subscribed is a click away.
  await admin.keyboard.press("Escape");
  await expect(admin.getByRole("button", { name: "Assine agora" })).toBeVisible();
  await admin.getByRole("button", { name: "Ver assinatura" }).click();
  await admin.waitForURL("**/subscription");

  // The settings send what was changed of the address. Where it cannot be read they say so.
  await admin.goto("/settings");
  const edit = admin.getByRole("button", { name: "Editar: Dados de cobrança e token" });
  const settings = admin.getByRole("dialog", { name: "Dados de cobrança e token" });
  await admin.route("**/companies/*/account", (route) => route.fulfill({ status: 403, json: {} }));
  await edit.click();
  await expect(settings.getByRole("button", { name: "Tentar novamente" })).toBeVisible();
  await admin.keyboard.press("Escape");
  await admin.unroute("**/companies/*/account");
  await edit.click();
  await expect(settings.getByLabel("Endereço")).toHaveValue("Rua das Flores, 12");
  await settings.getByLabel("Bairro").fill("Boa Vista");
  const [saved] = await Promise.all([
    admin.waitForRequest((request) => request.method() === "PUT"),
    settings.getByRole("button", { name: "Salvar" }).click(),
  ]);
  expect(saved.postDataJSON()).toEqual({ addressDistrict: "Boa Vista" });

  // The payment goes back after that period was given: a debt, which the next Pix asks for and names.
  await asOwner(
    await product.databaseUrl(),
    `with back as (insert into payment_returns (company_id, payment_id, kind, value, created_at)
       select company_id, id, 'refund', value, now() from invoice_payments where company_id = ${id} returning *)
     insert into credit_entries (company_id, amount, return_id, created_at) select company_id, -value, id, now() from back`,
  );
  await admin.goto("/subscription");
  await admin.getByRole("button", { name: "Assine agora" }).click();
  const summed = (name: string) => checkout.getByText(name, { exact: true }).locator("..");
  await expect(summed("Débito de pagamento devolvido")).toContainText("R$ 149,90");
  await expect(summed("Total")).toContainText("R$ 299,80");
  await checkout.getByRole("button", { name: "Próximo" }).click();
  await checkout.getByRole("button", { name: "Enviar" }).click();
  await expect(pix).toContainText("Fatura de R$ 149,90 mais o débito de R$ 149,90 de um pagamento devolvido.");
  await expect(pix.getByAltText("QR Code do Pix")).toHaveAttribute("data-qr", /299\.80.*6304/u);

  // Switched off by the operator, the company's people are out; switched on, they enter again.
  await desk.keyboard.press("Escape");
  await row.getByRole("button", { name: `Desativar ${account.name}` }).click();
  await desk.getByRole("button", { name: "Desativar", exact: true }).click();
  await expect(row).toContainText("Desativada");
  await admin.waitForURL("**/login");
  await row.getByRole("button", { name: `Ativar ${account.name}` }).click();
  await expect(row).not.toContainText("Desativada");
  await signInToApi(product.url, account);

  // issued by the order, before the job comes round
  await (await signInToApi(product.url, late)).call(subscription.create, { body: {} });
  const theirs = await at(late, { width: 1366 });
  await theirs.waitForURL("**/financeiro");
  const ended = theirs.getByText(/^Sua assinatura venceu em/);
  await expect(ended).toBeVisible();
  const overdue = theirs.getByRole("row").filter({ hasText: "Vencido" });
  await expect(overdue).toHaveAttribute("data-tone", "red");
  await expect(overdue.getByRole("button", { name: /^Pagar a fatura de/ })).toBeVisible();
  // Loaded again it asks for nothing that it cannot have, but the key of what the browser keeps: that goes out beside the session.
  const refused: string[] = [];
  theirs.on("response", (response) => response.status() === 403 && refused.push(new URL(response.url()).pathname));
  await theirs.reload();
  await expect(overdue).toBeVisible();
  await expect(theirs.getByRole("button", { name: "Informativos" })).toBeVisible();
  await expect(theirs.getByRole("button", { name: "Conversas não lidas" })).toBeHidden();
  // An open page follows what is paid without a reload, with no socket and with one.
  const lateId = { id: listed.companies[0]!.id };
  await desk.close();
  const again = await signInToApi(product.url, demo.operator);
  await again.call(companies.update, { params: lateId, body: { dueDate: dayFromToday(30) } });
  await expect(ended).toBeHidden();
  expect(refused.filter((path) => path !== "/auth/store-key")).toEqual([]);
  await theirs.goto("/contacts");
  await expect(theirs.getByRole("heading", { name: "Contatos", level: 1 })).toBeVisible();
  await again.call(companies.update, { params: lateId, body: { dueDate: dayFromToday(3) } });
  await expect(
    theirs.getByRole("status").filter({ hasText: "Sua assinatura vence em 3 dia(s)" }).first(),
  ).toBeVisible();
  await again.call(companies.update, { params: lateId, body: past });
  await theirs.waitForURL("**/financeiro");
});

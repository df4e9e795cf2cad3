import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { BodyOf, PixCharge, subscription } from "@prosa/contract";
import { saveAccount } from "#server/features/companies/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { findDueInvoice, findInvoices, findPaidByCreditSince, sameOrderMs } from "../invoices.queries.ts";
import type { InvoiceRow } from "../invoices.queries.ts";
import { amountText } from "../invoices.view.ts";
import { brCodeOf, ProviderError } from "../providers/index.ts";
import type { PixProvider } from "../providers/index.ts";
import { findBillingSettings } from "../settings/index.ts";
import type { BillingSettingsRow, OpenProvider, ProviderWithAccount } from "../settings/index.ts";
import { claimCharge, endCharge, findLiveCharge, insertCharge, saveCharge } from "./charges.queries.ts";
import type { ChargeRow } from "./charges.queries.ts";
import { findPayer } from "./payer.queries.ts";
import { cents, spendCredit } from "./settle.ts";

type Order = BodyOf<typeof subscription.create>;

/** For how long a QR code of Efí can be paid. */
const validSeconds = 86_400;
/** A charge that ends sooner than this is not shown any more. */
const minLeftMs = 5 * 60_000;
/** A charge is asked about for 32 days (charges.queries); an older one than this gives way to a new one. */
const longestMs = 7 * 86_400_000;
/** Asaas refuses less. */
const smallestCharge = 5;
/** Longer than a provider is waited for: whoever was killed meanwhile has lost the charge to the next. */
const claimMs = 60_000;
/** For how long the same order, given twice, waits for the charge of the first one, and how often it looks. */
const otherOrderMs = 6_000;
const lookMs = 300;

export interface CheckoutTools {
  readonly services: Services;
  readonly openProvider: OpenProvider;
  /** Issues the invoice of the coming period. */
  readonly issueNow: (companyId: number) => Promise<void>;
}

/**
 * The Pix of an invoice (F-03): of the one that is named, of the open one that is due, or of the coming period's. What it costs is the
 * invoice's value less the company's credit or with its debt, whatever the client says (decision 0274); credit that reaches pays it
 * at once. The same invoice gives the same charge as long as that can be paid. Throws
 * ERR_NOT_FOUND, ERR_INVOICE_NOT_OPEN, ERR_PIX_NOT_SET_UP, ERR_VALIDATION for a missing CPF or CNPJ, ERR_PAYMENT_PROVIDER.
 */
export async function orderPix(scope: RequestScope, tools: CheckoutTools, order: Order): Promise<PixCharge> {
  const companyId = scope.actor?.companyId ?? 0;
  await scope.inCompany((ctx) => savePayer(ctx, order));
  const { invoice: found, isByCredit } = await chooseInvoice(scope, tools, { companyId, id: order.invoiceId ?? null });
  if (!found) {
    throw new AppError(order.invoiceId ? "ERR_NOT_FOUND" : "ERR_INVOICE_NOT_OPEN");
  }
  if (isByCredit) {
    return paidByCredit(found);
  }
  // Open with nothing due: of a date that the operator has moved, so credit does not pay it.
  if (found.status !== "open" || found.due <= 0) {
    throw new AppError("ERR_INVOICE_NOT_OPEN", { invoiceId: found.id });
  }
  const settings = await scope.read(findBillingSettings);
  return settings.provider === "static"
    ? staticCharge(settings, found)
    : providerCharge(scope, tools, settings.provider, { companyId, invoice: found });
}

/** The invoice that is ordered; issued now where none is open. `isByCredit`: the company's credit has paid it, which is the order's end. */
async function chooseInvoice(
  scope: RequestScope,
  tools: CheckoutTools,
  { companyId, id }: { readonly companyId: number; readonly id: number | null },
): Promise<{ readonly invoice: InvoiceRow | undefined; readonly isByCredit: boolean }> {
  let invoice = await scope.read((ctx) => invoiceOf(ctx, id));
  if (!invoice && id === null) {
    await tools.issueNow(companyId);
    const since = new Date(scope.now().getTime() - sameOrderMs);
    invoice = await scope.read(
      async (ctx) => (await invoiceOf(ctx, null)) ?? (await findPaidByCreditSince(ctx, since)),
    );
    return { invoice, isByCredit: invoice?.paid_by === "credit" };
  }
  if (invoice?.status !== "open" || invoice.due > 0) {
    return { invoice, isByCredit: false };
  }
  const meant = { invoiceId: invoice.id, method: "credit" } as const;
  await tools.services.db.systemTx((tx) => spendCredit(tx, companyId, scope.now(), meant));
  invoice = await scope.read((ctx) => invoiceOf(ctx, meant.invoiceId));
  return { invoice, isByCredit: invoice?.paid_by === "credit" };
}

/** Keeps the address of the payload for the receipt; what is left out stays. */
async function savePayer(ctx: Ctx, order: Order): Promise<void> {
  const billingName = [order.firstName, order.lastName].filter(Boolean).join(" ");
  const fields = {
    billingName: billingName || undefined,
    addressStreet: order.address2 || undefined,
    addressCity: order.city || undefined,
    addressState: order.state || undefined,
    addressZipCode: order.zipcode || undefined,
    taxId: order.taxId || undefined,
  };
  await saveAccount(ctx, ctx.companyId, fields);
}

async function invoiceOf(ctx: Ctx, id: number | null): Promise<InvoiceRow | undefined> {
  return id === null ? findDueInvoice(ctx) : (await findInvoices(ctx, [id]))[0];
}

function staticCharge(settings: BillingSettingsRow, invoice: InvoiceRow): PixCharge {
  const { pix_key: key, pix_name: name, pix_city: city } = settings;
  if (key === "") {
    throw new AppError("ERR_PIX_NOT_SET_UP");
  }
  // The operator finds the payment by it in the statement of the account.
  const txid = `FATURA${invoice.id}`;
  return {
    invoiceId: invoice.id,
    qrcode: { qrcode: brCodeOf({ key, name, city, value: invoice.due, txid }) },
    valor: { original: amountText(invoice.due) },
    txid,
    expiresAt: null,
    isConfirmedAutomatically: false,
    ...partsOf(invoice),
  };
}

function paidByCredit(invoice: InvoiceRow): PixCharge {
  return {
    invoiceId: invoice.id,
    qrcode: { qrcode: "" },
    valor: { original: amountText(0) },
    txid: "",
    expiresAt: null,
    isConfirmedAutomatically: true,
    ...partsOf(invoice),
    paidUntil: invoice.paid_until,
  };
}

/** Of what a charge is made: the invoice, and what the company has paid before or owes. */
function partsOf({ value, due }: InvoiceRow): Pick<PixCharge, "invoiceValue" | "credit" | "paidUntil"> {
  return { invoiceValue: value, credit: (cents(value) - cents(due)) / 100, paidUntil: null };
}

/** What a provider is asked for: what is due, or the least that it takes, whose rest is credit. */
function toCharge({ due }: InvoiceRow, provider: ProviderWithAccount): number {
  return provider === "asaas" ? Math.max(due, smallestCharge) : due;
}

interface Asked {
  readonly companyId: number;
  readonly invoice: InvoiceRow;
}

async function providerCharge(
  scope: RequestScope,
  tools: CheckoutTools,
  name: ProviderWithAccount,
  { companyId, invoice }: Asked,
): Promise<PixCharge> {
  const { db } = tools.services;
  const provider = await tools.openProvider(name);
  if (!provider) {
    throw new AppError("ERR_PIX_NOT_SET_UP");
  }
  const payer = await scope.read(findPayer);
  if (name === "asaas" && payer.taxId === "") {
    throw new AppError("ERR_VALIDATION", { fields: { taxId: "Required" } });
  }
  const charge = await reserveCharge(scope, tools, name, { companyId, invoice });
  if (charge.br_code !== null) {
    return chargeView(charge, invoice, charge.br_code);
  }
  const other = await claimOrAwait(scope, tools, charge);
  if (other) {
    return chargeView(other, invoice, other.br_code);
  }
  const made = await ask(scope, provider, {
    txid: charge.txid,
    value: charge.value,
    description: invoice.detail,
    dueDate: invoice.due_date,
    validSeconds,
    payer: { companyId, ...payer },
  }).catch(async (error: unknown) => {
    await db.systemTx((tx) => saveCharge(tx, charge.id, {}));
    throw error;
  });
  const { brCode, reference, expiresAt } = made;
  await db.systemTx((tx) => saveCharge(tx, charge.id, { br_code: brCode, reference, expires_at: expiresAt }));
  return chargeView({ ...charge, expires_at: expiresAt }, invoice, brCode);
}

/**
 * Takes the right to ask the provider for the charge; undefined: it is ours. The same order, given twice, waits for what the other one
 * gets, and asks by itself where that failed. Throws ERR_PAYMENT_PROVIDER where it takes too long, or the charge was ended meanwhile.
 */
async function claimOrAwait(
  scope: RequestScope,
  { services: { db } }: CheckoutTools,
  { id, invoice_id: invoiceId }: ChargeRow,
): Promise<(ChargeRow & { readonly br_code: string }) | undefined> {
  for (let waited = 0; waited < otherOrderMs; waited += lookMs) {
    const now = scope.now();
    if (await db.systemTx((tx) => claimCharge(tx, id, now, new Date(now.getTime() + claimMs)))) {
      return undefined;
    }
    await sleep(lookMs);
    const live = await db.systemTx((tx) => findLiveCharge(tx, invoiceId));
    if (live?.id !== id) {
      break;
    }
    if (live.br_code !== null) {
      return { ...live, br_code: live.br_code };
    }
  }
  throw new AppError("ERR_PAYMENT_PROVIDER");
}

/** The live charge of the invoice, stored with its txid before the provider hears of it, so that a killed attempt is continued. */
async function reserveCharge(
  scope: RequestScope,
  { services: { db } }: CheckoutTools,
  provider: ProviderWithAccount,
  { companyId, invoice }: Asked,
): Promise<ChargeRow> {
  const now = scope.now();
  return db.systemTx(async (tx) => {
    const known = await findLiveCharge(tx, invoice.id);
    if (known && isUsable(known, provider, invoice, now)) {
      return known;
    }
    if (known) {
      await endCharge(tx, known.id);
    }
    await insertCharge(tx, {
      company_id: companyId,
      invoice_id: invoice.id,
      provider,
      txid: randomBytes(16).toString("hex"),
      value: toCharge(invoice, provider),
      created_at: now,
      check_at: new Date(now.getTime() + 60_000),
    });
    const made = await findLiveCharge(tx, invoice.id);
    if (!made) {
      throw new AppError("ERR_INVOICE_NOT_OPEN", { invoiceId: invoice.id });
    }
    return made;
  });
}

function isUsable(charge: ChargeRow, provider: ProviderWithAccount, invoice: InvoiceRow, now: Date): boolean {
  const expiresAt = expiryOf(charge);
  const hasTime = expiresAt === null || expiresAt.getTime() - now.getTime() > minLeftMs;
  // Asaas' charges have no end of their own, and one that is no longer asked about must not be shown.
  const isYoung = now.getTime() - charge.created_at.getTime() < longestMs;
  return charge.provider === provider && charge.value === toCharge(invoice, provider) && hasTime && isYoung;
}

/** One of Efí that failed halfway may have been made there all the same, and ends by itself. */
function expiryOf({ provider, expires_at: expiresAt, created_at: createdAt }: ChargeRow): Date | null {
  const isUnknown = expiresAt === null && provider === "efi";
  return isUnknown ? new Date(createdAt.getTime() + validSeconds * 1_000) : expiresAt;
}

async function ask(scope: RequestScope, provider: PixProvider, request: Parameters<PixProvider["charge"]>[0]) {
  try {
    return await provider.charge(request, AbortSignal.timeout(claimMs / 2));
  } catch (error) {
    const kind = error instanceof ProviderError ? error.kind : "unavailable";
    scope.log[kind === "refused" ? "error" : "warn"]({ err: error }, "payment provider gave no charge");
    throw new AppError("ERR_PAYMENT_PROVIDER", undefined, { cause: error });
  }
}

function chargeView(charge: ChargeRow, invoice: InvoiceRow, brCode: string): PixCharge {
  return {
    invoiceId: charge.invoice_id,
    qrcode: { qrcode: brCode },
    valor: { original: amountText(charge.value) },
    txid: charge.txid,
    expiresAt: charge.expires_at?.toISOString() ?? null,
    isConfirmedAutomatically: true,
    ...partsOf(invoice),
  };
}

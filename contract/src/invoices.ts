import { z } from "zod";
import { recurrences } from "./companies.ts";
import { day, done, id, idParams, instant, pageNumber, paged, searchParam } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { taxId } from "./tax-id.ts";

/** An invoice is issued so many days before its due date (behaviour 7). */
export const invoiceIssuedDaysBefore = 20;
/** Days before the due date at which an unpaid invoice is mailed. */
export const invoiceWarningDays = [7, 3, 1] as const;
/** After a payment the browser goes to / (specification 2, section 4). */
export const paymentRedirectMs = 4_000;
/** A late payment is accepted for at most so many days by the operator's choice. */
export const maxGraceDays = 60;

export const invoiceStatuses = ["open", "paid", "cancelled"] as const;
export const paymentMethods = ["pix", "manual", "credit"] as const;

export const invoice = z.object({
  id: z.number().int(),
  /** What it is for: the plan's name. */
  detail: z.string(),
  /** Reais. */
  value: z.number(),
  dueDate: day,
  status: z.enum(invoiceStatuses),
  /** Months that it pays for. */
  months: z.number().int(),
  issuedAt: instant,
  paidAt: instant.nullable(),
  /** How it was paid; credit: from what the company had paid before. */
  paidBy: z.enum(paymentMethods).nullable(),
  /** The company's due date after the payment. */
  paidUntil: day.nullable(),
  /** What was given back of the payments that were meant for it, in reais; nothing by a mark that the operator took back. */
  returned: z.number(),
  /** The operator's latest mark as paid that is not taken back: its payment. */
  markId: z.number().int().nullable(),
  /** Reais to pay for it now: its value less the company's credit, or with its debt; 0 unless it is open (decision 0274). */
  due: z.number(),
});
export type Invoice = z.output<typeof invoice>;

/** An invoice with the parties and what was written down of its payment, for the receipt and the operator. */
export const invoiceDetails = invoice.extend({
  payee: z.string(),
  payer: z.object({ name: z.string(), taxId: z.string(), address: z.string() }),
  payments: z.array(
    z.object({ method: z.enum(paymentMethods), value: z.number(), paidAt: instant, reference: z.string() }),
  ),
});
export type InvoiceDetails = z.output<typeof invoiceDetails>;

/** Card data is refused before anything stores or logs it (behaviour 1): payment is by Pix. */
const noCard = z.union([z.literal(""), z.null()], "Pix only").optional();
const text = z.string().trim().max(200, "Too Long!").optional();
const unused = z.unknown().optional();

/** The subscription payload (specification 2, section 3). The price, the plan and its numbers are the server's. */
export const subscriptionBody = z.object({
  firstName: text,
  lastName: text,
  address2: text,
  city: text,
  state: text,
  zipcode: z.string().trim().max(20, "Too Long!").optional(),
  country: text,
  /** Asked for by providers that bill a person (Asaas). */
  taxId: taxId.optional(),
  useAddressForPaymentDetails: unused,
  nameOnCard: noCard,
  cardNumber: noCard,
  cvv: noCard,
  plan: unused,
  price: unused,
  users: unused,
  connections: unused,
  /** None: the oldest open invoice, or a new one for the coming period. */
  invoiceId: id.nullish(),
});

/** Pix data (specification 2, section 3). */
export const pixCharge = z.object({
  invoiceId: z.number().int(),
  /** What the payer sees: the QR code's text, to copy. */
  qrcode: z.object({ qrcode: z.string() }),
  /** Reais with two digits: "97.00". */
  valor: z.object({ original: z.string() }),
  txid: z.string(),
  expiresAt: instant.nullable(),
  /** False: nobody but the operator learns of the payment, who marks the invoice. */
  isConfirmedAutomatically: z.boolean(),
  /** The invoice's own value, in reais. */
  invoiceValue: z.number(),
  /** What the company has paid before, which is taken off; negative: its debt after a returned payment, which is added. */
  credit: z.number(),
  /** The credit has paid all of it: nothing is left to pay, and the company is served until this day. */
  paidUntil: day.nullable(),
});
export type PixCharge = z.output<typeof pixCharge>;

export const pixProviders = ["static", "efi", "asaas"] as const;
export type PixProviderName = (typeof pixProviders)[number];
export const providerEnvironments = ["production", "sandbox"] as const;

const secretText = z.string().trim().max(20_000, "Too Long!").optional();

/** What the operator sets; a secret that is absent or empty stays as it is, and none is ever returned. */
export const billingSettingsBody = z.object({
  /** Days after the due date at which a company is still served. */
  graceDays: z.coerce.number().int().min(0).max(maxGraceDays).default(0),
  provider: z.enum(pixProviders).default("static"),
  pixKey: z.string().trim().max(77, "Too Long!").default(""),
  pixName: z.string().trim().max(100, "Too Long!").default(""),
  pixCity: z.string().trim().max(100, "Too Long!").default(""),
  efi: z
    .object({
      environment: z.enum(providerEnvironments).default("production"),
      pixKey: z.string().trim().max(77, "Too Long!").default(""),
      clientId: secretText,
      clientSecret: secretText,
      /** The certificate of the account: PEM with its key, or a p12 as base64. */
      certificate: secretText,
    })
    .optional(),
  asaas: z
    .object({
      environment: z.enum(providerEnvironments).default("production"),
      apiKey: secretText,
      /** What Asaas sends as asaas-access-token; the operator chooses it and enters it there as well. */
      webhookToken: secretText,
    })
    .optional(),
});
export type BillingSettingsBody = z.output<typeof billingSettingsBody>;

export const billingSettings = z.object({
  graceDays: z.number().int(),
  provider: z.enum(pixProviders),
  pixKey: z.string(),
  pixName: z.string(),
  pixCity: z.string(),
  efi: z.object({
    environment: z.enum(providerEnvironments),
    pixKey: z.string(),
    hasKeys: z.boolean(),
    webhookUrl: z.string(),
  }),
  asaas: z.object({ environment: z.enum(providerEnvironments), hasKeys: z.boolean(), webhookUrl: z.string() }),
});
export type BillingSettings = z.output<typeof billingSettings>;

/** Of all companies, in reais. */
export const billingSummary = z.object({
  receivedThisMonth: z.number(),
  receivedLastMonth: z.number(),
  open: z.object({ count: z.number().int(), value: z.number() }),
  overdue: z.object({ count: z.number().int(), value: z.number() }),
  companies: z.object({ active: z.number().int(), disabled: z.number().int() }),
});
export type BillingSummary = z.output<typeof billingSummary>;

const usage = z.object({ used: z.number().int(), limit: z.number().int() });

export const billedCompany = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  plan: z.string().nullable(),
  recurrence: z.enum(recurrences),
  dueDate: day.nullable(),
  status: z.boolean(),
  users: usage,
  connections: usage,
  queues: usage,
  open: z.number(),
  overdue: z.number(),
  credit: z.number(),
});
export type BilledCompany = z.output<typeof billedCompany>;

const payer = { access: { who: "admin", whenOverdue: true } } as const;
const operator = { access: { who: "super", whenOverdue: true } } as const;
const hook = { access: { who: "public" }, response: done } as const;

export const invoices = {
  list: endpoint({
    method: "GET",
    path: "/invoices",
    summary: "The company's invoices, the newest first (F-01)",
    ...payer,
    query: z.object({ searchParam, pageNumber }),
    response: paged("invoices", invoice),
  }),
  all: endpoint({
    method: "GET",
    path: "/invoices/all",
    summary: "The same as a bare array of one page (F-01)",
    ...payer,
    query: z.object({ searchParam, pageNumber }),
    response: z.array(invoice),
  }),
  settings: endpoint({
    method: "GET",
    path: "/invoices/settings",
    summary: "How the operator is paid; of keys only whether they are set (F-03)",
    ...operator,
    response: billingSettings,
  }),
  saveSettings: endpoint({
    method: "PUT",
    path: "/invoices/settings",
    summary: "Change the grace period and the payment provider (F-03)",
    ...operator,
    body: billingSettingsBody,
    response: billingSettings,
  }),
  summary: endpoint({
    method: "GET",
    path: "/invoices/summary",
    summary: "Revenue, and what is open and overdue, over all companies",
    ...operator,
    response: billingSummary,
  }),
  companies: endpoint({
    method: "GET",
    path: "/invoices/companies",
    summary: "Companies with what they use of their plan and what they owe",
    ...operator,
    query: z.object({ searchParam, pageNumber }),
    response: paged("companies", billedCompany),
  }),
  ofCompany: endpoint({
    method: "GET",
    path: "/invoices/companies/:companyId",
    summary: "Invoices of a company, for the operator",
    ...operator,
    params: z.object({ companyId: id }),
    query: z.object({ pageNumber }),
    response: paged("invoices", invoice),
  }),
  get: endpoint({
    method: "GET",
    path: "/invoices/:id",
    summary: "One invoice with the parties, for its receipt",
    ...payer,
    params: idParams,
    response: invoiceDetails,
  }),
  markPaid: endpoint({
    method: "POST",
    path: "/invoices/:id/payment",
    summary: "Mark an invoice as paid, with a note (F-03)",
    ...operator,
    params: idParams,
    body: z.object({ note: z.string().trim().min(2, "Too Short!").max(500, "Too Long!") }),
    response: invoice,
  }),
  takeBack: endpoint({
    method: "DELETE",
    path: "/invoices/:id/payment",
    summary: "Take back a mark as paid, set by mistake: what it paid is open again (F-03)",
    ...operator,
    params: idParams,
    /** Of the invoice as it was seen: another mark, which an operator has set since, stays. */
    query: z.object({ markId: id }),
    response: invoice,
  }),
  efiWebhook: endpoint({
    method: "POST",
    path: "/webhooks/efi/:secret",
    summary: "Efí says that something was paid; the secret in the path stands for its certificate (F-04)",
    ...hook,
    params: z.object({ secret: z.string().max(200) }),
    body: z.unknown(),
  }),
  efiPixWebhook: endpoint({
    method: "POST",
    path: "/webhooks/efi/:secret/pix",
    summary: "The same, at the address that Efí makes of it",
    ...hook,
    params: z.object({ secret: z.string().max(200) }),
    body: z.unknown(),
  }),
  asaasWebhook: endpoint({
    method: "POST",
    path: "/webhooks/asaas",
    summary: "Asaas says that something was paid; its header asaas-access-token is checked (F-04)",
    ...hook,
    body: z.unknown(),
  }),
} as const;

/** What the order of `subscription.create` without an invoice comes to. */
export const nextOrder = invoice.pick({ detail: true, value: true, months: true, dueDate: true, due: true });
export type NextOrder = z.output<typeof nextOrder>;

export const subscription = {
  next: endpoint({
    method: "GET",
    path: "/subscription",
    summary: "What would be paid now: the oldest open invoice, or the coming period's at what the plan costs (F-02)",
    ...payer,
    /** Null: nothing is to be paid, as by a company without a due date or of a free plan. */
    response: z.object({ order: nextOrder.nullable() }),
  }),
  create: endpoint({
    method: "POST",
    path: "/subscription",
    summary: "Ask for the Pix of an invoice (F-02, F-03)",
    ...payer,
    body: subscriptionBody,
    response: pixCharge,
  }),
} as const;

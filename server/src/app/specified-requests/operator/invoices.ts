import { number, refusal, some, text } from "../format/kinds.ts";
import type { SpecifiedRequest } from "../format/table.ts";

/** The payload of the family's checkout (specification 2, section 3), with a price of its own. */
const checkout = {
  firstName: "Ana Souza",
  lastName: "",
  address2: "Rua das Flores, 12",
  city: "Recife",
  state: "PE",
  zipcode: "50000-000",
  country: "BR",
  useAddressForPaymentDetails: false,
  nameOnCard: "",
  cardNumber: "",
  cvv: "",
  plan: '{"planId":1,"price":0.01}',
  price: 0.01,
  users: 1,
  connections: 1,
};

/** Specification 2, sections 3 and 7; behaviour 1 and 7. */
export const invoices: readonly SpecifiedRequest[] = [
  {
    request: "PUT /invoices/settings",
    proves: "the operator's own Pix key (F-03)",
    as: "operator",
    send: { provider: "static", pixKey: "pix@example.com", pixName: "Operadora", pixCity: "São Paulo" },
    holds: { provider: "static", pixKey: "pix@example.com", graceDays: 0 },
  },
  {
    request: "POST /subscription",
    proves: "Pix data of the invoice, at the server's price (F-03)",
    send: checkout,
    holds: { qrcode: { qrcode: text }, valor: { original: "99.90" }, invoiceId: number },
    keep: { invoice: "invoiceId" },
  },
  {
    request: "POST /subscription",
    proves: "a card is refused (F-03)",
    send: { ...checkout, invoiceId: "{invoice}", cardNumber: "4111111111111111", cvv: "123" },
    status: 400,
    holds: refusal("ERR_VALIDATION"),
  },
  {
    request: "GET /invoices/all?searchParam=&pageNumber=1",
    proves: "a bare array (F-01)",
    holds: some({ id: "{invoice}", detail: text, value: 99.9, dueDate: text, status: "open" }),
  },
];

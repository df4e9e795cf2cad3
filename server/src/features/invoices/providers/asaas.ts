import { z } from "zod";
import { truncateText } from "#server/platform/truncate-text.ts";
import { createCaller, refusal } from "./call.ts";
import type { CallRules, ProviderAnswer, ProviderCall } from "./call.ts";
import type { ChargeRequest, PixProvider } from "./port.ts";
import { ProviderError } from "./port.ts";

/** Asaas' API, version 3: docs.asaas.com. */
export interface AsaasAccount {
  readonly baseUrl: string;
  readonly apiKey: string;
}

const customer = z.object({ id: z.string() });
const payment = z.object({
  id: z.string(),
  status: z.string(),
  value: z.number(),
  deleted: z.boolean().optional(),
  paymentDate: z.string().nullish(),
  clientPaymentDate: z.string().nullish(),
  refunds: z.array(z.object({ status: z.string(), value: z.number() })).nullish(),
});
const qrCode = z.object({ payload: z.string().min(1), expirationDate: z.string().nullish() });
const listOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item) });

/** The money has arrived. CONFIRMED: paid, and credited later. */
const paidStatuses = new Set(["RECEIVED", "CONFIRMED"]);
/** All of it was given back. */
const refundedStatus = "REFUNDED";
/** The payer's bank holds it; a dispute that is won ends in one of the paid statuses again. */
const chargebackStatuses = new Set(["CHARGEBACK_REQUESTED", "CHARGEBACK_DISPUTE", "AWAITING_CHARGEBACK_REVERSAL"]);

export function createAsaas({ baseUrl, apiKey }: AsaasAccount, now: () => Date, rules?: CallRules): PixProvider {
  const call = createCaller({}, rules);
  const headers = { access_token: apiKey, "user-agent": "Prosa" };
  const send = (request: Omit<ProviderCall, "headers" | "url"> & { readonly path: string }, signal: AbortSignal) =>
    call({ method: request.method, url: baseUrl + request.path, headers, body: request.body }, signal);
  const get = (path: string, signal: AbortSignal) => send({ method: "GET", path }, signal);

  /** Customers and payments have no id of ours but externalReference: it is looked up before one is made. */
  async function findOrMake<T>(
    path: string,
    reference: string,
    schema: z.ZodType<T>,
    body: object,
    signal: AbortSignal,
  ): Promise<T> {
    const [found] = await findAll(path, reference, schema, signal);
    if (found !== undefined) {
      return found;
    }
    try {
      const made = await send({ method: "POST", path, body: { ...body, externalReference: reference } }, signal);
      return read(schema, made, `POST ${path}`);
    } catch (error) {
      // The answer may be lost of what was done.
      const isLost = error instanceof ProviderError && error.kind === "unavailable";
      const [made] = isLost ? await findAll(path, reference, schema, signal) : [];
      if (made === undefined) {
        throw error;
      }
      return made;
    }
  }

  async function findAll<T>(path: string, reference: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T[]> {
    const answer = await get(`${path}?externalReference=${encodeURIComponent(reference)}`, signal);
    return read(listOf(schema), answer, `GET ${path}`).data as T[];
  }

  function customerOf({ payer }: ChargeRequest, signal: AbortSignal) {
    const { name, taxId, email } = payer;
    const body = { name, cpfCnpj: taxId, ...(email !== null && { email }), notificationDisabled: true };
    return findOrMake("/v3/customers", `company-${payer.companyId}-${taxId}`, customer, body, signal);
  }

  return {
    async charge(request, signal) {
      const { txid, value, description } = request;
      const { id: customerId } = await customerOf(request, signal);
      // Asaas refuses a date of the past: an overdue invoice is due today.
      const today = now().toISOString().slice(0, 10);
      const dueDate = request.dueDate > today ? request.dueDate : today;
      const body = {
        customer: customerId,
        billingType: "PIX",
        value,
        dueDate,
        description: truncateText(description, 500),
      };
      const made = await findOrMake("/v3/payments", txid, payment, body, signal);
      if (Math.round(made.value * 100) !== Math.round(value * 100)) {
        throw new ProviderError("refused", `the payment ${made.id} has another value`);
      }
      const path = `/v3/payments/${encodeURIComponent(made.id)}/pixQrCode`;
      const { payload } = read(qrCode, await get(path, signal), "GET /v3/payments/pixQrCode");
      return { brCode: payload, reference: made.id, expiresAt: null };
    },

    async paymentsOf({ txid, reference }, signal) {
      const asked = async () => {
        if (reference === null) {
          return findAll("/v3/payments", txid, payment, signal);
        }
        const answer = await get(`/v3/payments/${encodeURIComponent(reference)}`, signal);
        return answer.status === 404 ? [] : [read(payment, answer, "GET /v3/payments")];
      };
      return (await asked())
        .filter(({ status }) => paidStatuses.has(status) || status === refundedStatus || chargebackStatuses.has(status))
        .map(({ id, value, status, refunds, paymentDate, clientPaymentDate }) => {
          const day = clientPaymentDate ?? paymentDate;
          const isChargeback = chargebackStatuses.has(status);
          const done = (refunds ?? []).filter((refund) => refund.status === "DONE");
          return {
            reference: id,
            value,
            paidAt: day ? new Date(`${day.slice(0, 10)}T12:00:00-03:00`) : now(),
            returned:
              isChargeback || status === refundedStatus ? value : done.reduce((sum, refund) => sum + refund.value, 0),
            returnKind: isChargeback ? "chargeback" : "refund",
          } as const;
        });
    },
  };
}

function read<T>(schema: z.ZodType<T>, answer: ProviderAnswer, what: string): T {
  const body = answer.status < 300 ? schema.safeParse(answer.body) : undefined;
  if (!body?.success) {
    throw refusal(what, answer);
  }
  return body.data;
}

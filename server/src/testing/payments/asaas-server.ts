import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { closeServer, readRequest } from "./efi-server.ts";
import type { ProviderRequest } from "./efi-server.ts";

export const asaasKeys = { apiKey: "$aact_test", webhookToken: "a token that the operator has chosen" };

interface AsaasPayment {
  readonly id: string;
  readonly customer: string;
  readonly value: number;
  readonly dueDate: string;
  readonly externalReference: string;
  status: "PENDING" | "RECEIVED" | "REFUNDED" | "CHARGEBACK_REQUESTED" | "CHARGEBACK_DISPUTE";
  paymentDate: string | null;
  refunds?: { readonly status: string; readonly value: number }[];
}

/** A local server that speaks what Asaas publishes of its API, version 3 (docs.asaas.com); what a client gets wrong is in `wrongs`. */
export async function startAsaas() {
  const customers: Record<string, unknown>[] = [];
  const payments: AsaasPayment[] = [];
  const requests: ProviderRequest[] = [];
  const wrongs: string[] = [];
  let lostAnswers = 0;

  function answer(response: ServerResponse, status: number, body: unknown): void {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  function wrong(response: ServerResponse, status: number, what: string): void {
    wrongs.push(what);
    answer(response, status, { errors: [{ code: "invalid", description: what }] });
  }

  function handle({ method, path, body }: ProviderRequest, response: ServerResponse): void {
    const url = new URL(path, "http://asaas");
    const reference = url.searchParams.get("externalReference");
    const list = (all: readonly object[]) =>
      answer(response, 200, {
        object: "list",
        data: all.filter((one) => (one as { externalReference?: unknown }).externalReference === reference),
      });
    if (method === "GET" && url.pathname === "/v3/customers") {
      return list(customers);
    }
    if (method === "GET" && url.pathname === "/v3/payments") {
      return list(payments);
    }
    if (method === "POST" && url.pathname === "/v3/customers") {
      const given = body as Record<string, unknown>;
      if (typeof given["name"] !== "string" || !/^(\d{11}|\d{14})$/.test(String(given["cpfCnpj"]))) {
        return wrong(response, 400, "customer");
      }
      customers.push({ ...given, id: `cus_${customers.length + 1}` });
      return answer(response, 200, customers.at(-1));
    }
    if (method === "POST" && url.pathname === "/v3/payments") {
      return makePayment(body as Partial<AsaasPayment> & { billingType?: string }, response);
    }
    const [, id, image] = /^\/v3\/payments\/(pay_\d+)(\/pixQrCode)?$/.exec(url.pathname) ?? [];
    const payment = payments.find((one) => one.id === id);
    if (method !== "GET" || !payment) {
      return wrong(response, 404, `${method} ${path}`);
    }
    const qrCode = {
      success: true,
      encodedImage: "",
      payload: `00020126-${payment.id}`,
      expirationDate: "2099-11-25 23:59:59",
    };
    answer(response, 200, image ? qrCode : payment);
  }

  function makePayment(given: Partial<AsaasPayment> & { billingType?: string }, response: ServerResponse): void {
    const { customer = "", value = 0, dueDate = "", externalReference = "", billingType } = given;
    const isRight =
      billingType === "PIX" &&
      value >= 5 &&
      /^\d{4}-\d{2}-\d{2}$/.test(dueDate) &&
      customers.some(({ id }) => id === customer);
    if (!isRight) {
      return wrong(response, 400, `payment ${JSON.stringify(given)}`);
    }
    const id = `pay_${payments.length + 1}`;
    payments.push({ id, customer, value, dueDate, externalReference, status: "PENDING", paymentDate: null });
    if (lostAnswers > 0) {
      lostAnswers -= 1;
      response.destroy();
      return;
    }
    answer(response, 200, payments.at(-1));
  }

  const server = createServer((incoming, response) => {
    void readRequest(incoming).then((request) => {
      requests.push(request);
      if (request.headers["access_token"] !== asaasKeys.apiKey || !request.headers["user-agent"]) {
        return wrong(response, 401, "access_token");
      }
      handle(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    payments,
    customers,
    requests,
    wrongs,
    /** The next payment is made, and the answer is lost. */
    loseAnswer: () => void (lostAnswers += 1),
    pay(id: string): void {
      const payment = payments.find((one) => one.id === id)!;
      payment.status = "RECEIVED";
      payment.paymentDate = new Date().toISOString().slice(0, 10);
    },
    close: () => closeServer(server),
  };
}

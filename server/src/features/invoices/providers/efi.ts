import { z } from "zod";
import { truncateText } from "#server/platform/truncate-text.ts";
import { plainText } from "./br-code.ts";
import { createCaller, refusal } from "./call.ts";
import type { Caller, CallRules, TlsIdentity } from "./call.ts";
import type { PixProvider } from "./port.ts";
import { ProviderError } from "./port.ts";

/** Efí's API Pix, version 2: dev.efipay.com.br, after the API Pix of the Banco Central. */
export interface EfiAccount {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The client certificate of the account, which every call presents. */
  readonly tls: TlsIdentity;
  /** The Pix key that is paid to. */
  readonly pixKey: string;
}

const token = z.object({ access_token: z.string(), expires_in: z.number() });
const charge = z.object({
  txid: z.string(),
  status: z.string(),
  loc: z.object({ id: z.number() }),
  calendario: z.object({ criacao: z.string().optional(), expiracao: z.number() }),
  valor: z.object({ original: z.string() }),
  pix: z
    .array(
      z.object({
        endToEndId: z.string(),
        valor: z.string(),
        horario: z.string().optional(),
        devolucoes: z
          .array(z.object({ valor: z.string(), status: z.string(), natureza: z.string().optional() }))
          .default([]),
      }),
    )
    .default([]),
});
const qrCode = z.object({ qrcode: z.string().min(1) });

/** Of solicitacaoPagador. */
const maxDescription = 140;

export function createEfi(account: EfiAccount, now: () => Date, rules?: CallRules): PixProvider {
  const call = createCaller(account.tls, rules);
  const authorized = authorizedCaller(account, call, now);

  async function find(txid: string, signal: AbortSignal) {
    const answer = await authorized({ method: "GET", url: `${account.baseUrl}/v2/cob/${txid}` }, signal);
    if (answer.status === 404) {
      return undefined;
    }
    return read(charge, answer, "GET /v2/cob");
  }

  return {
    async charge({ txid, value, description, validSeconds, payer }, signal) {
      const body = {
        calendario: { expiracao: validSeconds },
        ...(payer.taxId !== "" && {
          devedor: { [payer.taxId.length === 11 ? "cpf" : "cnpj"]: payer.taxId, nome: truncateText(payer.name, 200) },
        }),
        valor: { original: value.toFixed(2) },
        chave: account.pixKey,
        solicitacaoPagador: plainText(description, maxDescription),
      };
      const answer = await authorized({ method: "PUT", url: `${account.baseUrl}/v2/cob/${txid}`, body }, signal);
      // A txid that exists was made by an earlier attempt, whose answer was lost.
      const known = answer.status < 300 ? undefined : await find(txid, signal);
      if (answer.status >= 300 && !known) {
        throw refusal("PUT /v2/cob", answer);
      }
      const made = known ?? read(charge, answer, "PUT /v2/cob");
      if (made.valor.original !== value.toFixed(2)) {
        throw new ProviderError("refused", `the charge ${txid} has another value`);
      }
      const image = await authorized({ method: "GET", url: `${account.baseUrl}/v2/loc/${made.loc.id}/qrcode` }, signal);
      const { qrcode } = read(qrCode, image, "GET /v2/loc/qrcode");
      const created = made.calendario.criacao === undefined ? now() : new Date(made.calendario.criacao);
      return {
        brCode: qrcode,
        reference: String(made.loc.id),
        expiresAt: new Date(created.getTime() + made.calendario.expiracao * 1_000),
      };
    },

    async paymentsOf({ txid }, signal) {
      const found = await find(txid, signal);
      return (found?.pix ?? []).map(({ endToEndId, valor, horario, devolucoes }) => {
        // EM_PROCESSAMENTO has not left yet, NAO_REALIZADO never did.
        const done = devolucoes.filter(({ status }) => status === "DEVOLVIDO");
        return {
          reference: endToEndId,
          value: Number(valor),
          paidAt: horario === undefined ? now() : new Date(horario),
          returned: done.reduce((sum, one) => sum + Number(one.valor), 0),
          // The special return mechanism of the Banco Central: fraud or an operational fault.
          returnKind: done.some(({ natureza }) => natureza?.startsWith("MED")) ? "chargeback" : "refund",
        } as const;
      });
    },

    async registerWebhook(webhookUrl, signal) {
      const url = `${account.baseUrl}/v2/webhook/${encodeURIComponent(account.pixKey)}`;
      const headers = { "x-skip-mtls-checking": "true" };
      const answer = await authorized({ method: "PUT", url, headers, body: { webhookUrl } }, signal);
      if (answer.status >= 300) {
        throw refusal("PUT /v2/webhook", answer);
      }
    },
  };
}

/** Adds the token of OAuth2 client credentials, which is kept until shortly before its end. */
function authorizedCaller({ baseUrl, clientId, clientSecret }: EfiAccount, call: Caller, now: () => Date) {
  let kept: { readonly value: string; readonly endsAt: number } | undefined;

  async function accessToken(signal: AbortSignal): Promise<string> {
    if (kept && kept.endsAt > now().getTime()) {
      return kept.value;
    }
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
    const answer = await call(
      {
        method: "POST",
        url: `${baseUrl}/oauth/token`,
        headers: { authorization },
        body: { grant_type: "client_credentials" },
        isRepeatable: true,
      },
      signal,
    );
    const given = read(token, answer, "POST /oauth/token");
    kept = { value: given.access_token, endsAt: now().getTime() + (given.expires_in - 60) * 1_000 };
    return kept.value;
  }

  return async (
    request: Omit<Parameters<Caller>[0], "headers"> & { headers?: Record<string, string> },
    signal: AbortSignal,
  ) => {
    const send = async () =>
      call(
        { ...request, headers: { ...request.headers, authorization: `Bearer ${await accessToken(signal)}` } },
        signal,
      );
    const answer = await send();
    if (answer.status !== 401) {
      return answer;
    }
    // Revoked before its time.
    kept = undefined;
    return send();
  };
}

function read<T>(schema: z.ZodType<T>, answer: Awaited<ReturnType<Caller>>, what: string): T {
  const body = answer.status < 300 ? schema.safeParse(answer.body) : undefined;
  if (!body?.success) {
    throw refusal(what, answer);
  }
  return body.data;
}

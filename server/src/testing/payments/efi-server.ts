import { createServer } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const file = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");

/** Identities of the test network: who calls, and whom both trust. */
export const testTls = {
  authority: file("authority.pem"),
  client: file("client.pem"),
  clientP12: file("client.p12.txt"),
};

export const efiKeys = { clientId: "Client_Id_test", clientSecret: "Client_Secret_test" };

export interface ProviderRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

interface EfiCharge {
  readonly valor: { readonly original: string };
  readonly calendario: { readonly expiracao: number };
  readonly locId: number;
  status: "ATIVA" | "CONCLUIDA";
  readonly pix: {
    readonly endToEndId: string;
    readonly valor: string;
    readonly horario: string;
    readonly devolucoes?: {
      readonly id: string;
      readonly rtrId: string;
      readonly valor: string;
      readonly natureza: string;
      status: string;
    }[];
  }[];
}

/**
 * A local server that speaks what Efí publishes of its API Pix (dev.efipay.com.br), over TLS with client certificates. What a client
 * gets wrong is answered as there, and listed in `wrongs`.
 */
export async function startEfi() {
  const charges = new Map<string, EfiCharge>();
  const requests: ProviderRequest[] = [];
  const wrongs: string[] = [];
  let faults: ("hang" | "lost answer" | "503")[] = [];
  let tokens = 0;

  function answer(response: ServerResponse, status: number, body: unknown): void {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  function wrong(response: ServerResponse, status: number, what: string): void {
    wrongs.push(what);
    answer(response, status, { nome: "erro", mensagem: what });
  }

  function handle(request: ProviderRequest, response: ServerResponse): void {
    const { method, path, headers, body } = request;
    if (path === "/oauth/token") {
      const expected = `Basic ${Buffer.from(`${efiKeys.clientId}:${efiKeys.clientSecret}`).toString("base64")}`;
      const isRight =
        headers.authorization === expected && JSON.stringify(body) === '{"grant_type":"client_credentials"}';
      tokens += 1;
      const given = { access_token: `token-${tokens}`, token_type: "Bearer", expires_in: 3600, scope: "cob.write" };
      return isRight ? answer(response, 200, given) : wrong(response, 401, "credentials");
    }
    if (headers.authorization !== `Bearer token-${tokens}`) {
      return answer(response, 401, { nome: "invalid_token" });
    }
    const [, txid] = /^\/v2\/cob\/([a-zA-Z0-9]{26,35})$/.exec(path) ?? [];
    if (txid !== undefined && method === "PUT") {
      return putCharge(txid, body, response);
    }
    if (txid !== undefined && method === "GET") {
      const charge = charges.get(txid);
      return charge
        ? answer(response, 200, chargeView(txid, charge))
        : answer(response, 404, { nome: "cobranca_nao_encontrada" });
    }
    const [, locId] = /^\/v2\/loc\/(\d+)\/qrcode$/.exec(path) ?? [];
    const ofLoc = [...charges].find(([, charge]) => String(charge.locId) === locId);
    if (ofLoc && method === "GET") {
      return answer(response, 200, {
        qrcode: `00020126-${ofLoc[0]}`,
        imagemQrcode: "data:image/png;base64,",
        linkVisualizacao: "",
      });
    }
    if (method === "PUT" && path.startsWith("/v2/webhook/")) {
      const isRight =
        headers["x-skip-mtls-checking"] === "true" && typeof (body as { webhookUrl?: string }).webhookUrl === "string";
      return isRight ? answer(response, 200, body) : wrong(response, 400, "webhook");
    }
    wrong(response, 404, `${method} ${path}`);
  }

  function putCharge(txid: string, body: unknown, response: ServerResponse): void {
    const { calendario, valor, chave, solicitacaoPagador } = body as {
      calendario?: { expiracao?: number };
      valor?: { original?: string };
      chave?: string;
      solicitacaoPagador?: string;
    };
    const isRight =
      Number.isInteger(calendario?.expiracao) &&
      /^\d{1,10}\.\d{2}$/.test(valor?.original ?? "") &&
      chave === "chave@efi.test" &&
      (solicitacaoPagador ?? "").length <= 140;
    if (!isRight) {
      return wrong(response, 400, `PUT /v2/cob ${JSON.stringify(body)}`);
    }
    if (charges.has(txid)) {
      return answer(response, 409, { nome: "txid_duplicado", mensagem: "Campo txid informado já existe" });
    }
    const charge: EfiCharge = {
      valor: { original: valor?.original ?? "" },
      calendario: { expiracao: calendario?.expiracao ?? 0 },
      locId: charges.size + 1,
      status: "ATIVA",
      pix: [],
    };
    charges.set(txid, charge);
    if (takeFault("lost answer")) {
      response.destroy();
      return;
    }
    answer(response, 201, chargeView(txid, charge));
  }

  function chargeView(txid: string, { locId, pix, ...charge }: EfiCharge) {
    return { ...charge, txid, revisao: 0, loc: { id: locId, tipoCob: "cob" }, ...(pix.length > 0 && { pix }) };
  }

  function takeFault(fault: (typeof faults)[number]): boolean {
    if (faults[0] !== fault) {
      return false;
    }
    faults = faults.slice(1);
    return true;
  }

  const tls = { cert: file("server.pem"), key: file("server.pem"), ca: testTls.authority };
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, (incoming, response) => {
    void readRequest(incoming).then((request) => {
      requests.push(request);
      const socket = incoming.socket as TLSSocket;
      if (!socket.authorized || socket.getPeerCertificate().subject.CN !== "client") {
        return wrong(response, 403, "no client certificate");
      }
      if (takeFault("hang")) {
        return;
      }
      if (takeFault("503")) {
        return answer(response, 503, {});
      }
      handle(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    charges,
    requests,
    wrongs,
    /** The next requests go wrong. */
    fail: (...next: typeof faults) => void (faults = next),
    /** Somebody pays; `endToEndId` is the id of the money. */
    pay(txid: string, endToEndId: string, valor?: string): void {
      const charge = charges.get(txid)!;
      charge.status = "CONCLUIDA";
      const horario = new Date().toISOString();
      charge.pix.push({ endToEndId, valor: valor ?? charge.valor.original, horario, devolucoes: [] });
    },
    /** A part or all of it goes back. */
    giveBack(endToEndId: string, valor: string, { natureza = "ORIGINAL", status = "DEVOLVIDO" } = {}): void {
      const pix = [...charges.values()].flatMap((charge) => charge.pix).find((one) => one.endToEndId === endToEndId)!;
      const id = `D${pix.devolucoes!.length + 1}`;
      pix.devolucoes!.push({ id, rtrId: `${id}${endToEndId}`, valor, natureza, status });
    },
    close: () => closeServer(server),
  };
}

export async function readRequest(incoming: IncomingMessage): Promise<ProviderRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) {
    chunks.push(chunk as Buffer);
  }
  const text = Buffer.concat(chunks).toString();
  const { method = "", url = "", headers } = incoming;
  return { method, path: url, headers, body: text === "" ? undefined : JSON.parse(text) };
}

export function closeServer(server: { close(done: () => void): unknown; closeAllConnections(): void }): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}

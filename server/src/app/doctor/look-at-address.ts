import { once } from "node:events";
import { connect } from "node:tls";
import type { Config } from "#server/platform/config/index.ts";
import { bad, doubtful, good, look } from "./finding.ts";
import type { Finding } from "./finding.ts";

const WITHIN_MS = 5_000;
const SOON_DAYS = 14;
const DAY_MS = 86_400_000;

/** Whether what people open arrives here: page, WebSocket, certificate. Only with PUBLIC_URL and a running server. */
export async function lookAtAddress({ publicUrl, isProduction }: Config): Promise<readonly Finding[]> {
  if (publicUrl === undefined) {
    return [
      isProduction
        ? doubtful(
            "address",
            "PUBLIC_URL is not set",
            "Set it to the address that people open: links in mails begin with it.",
          )
        : good("address", "PUBLIC_URL is not set; links lead to localhost"),
    ];
  }
  const findings = await Promise.all([
    look("address", () => lookAtPage(publicUrl)),
    look("sockets", () => lookAtSocket(publicUrl)),
    ...(publicUrl.startsWith("https:") ? [look("certificate", () => lookAtCertificate(new URL(publicUrl)))] : []),
  ]);
  return findings.flat();
}

async function lookAtPage(publicUrl: string): Promise<Finding> {
  const response = await fetch(`${publicUrl}/version`, {
    signal: AbortSignal.timeout(WITHIN_MS),
    redirect: "manual",
  }).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  if (response instanceof Error) {
    const reason = response.cause instanceof Error ? response.cause.message : response.message;
    return bad(
      "address",
      `${publicUrl} does not answer (${reason})`,
      "Start Prosa, and check the name, the proxy and the firewall.",
    );
  }
  return response.ok
    ? good("address", `${publicUrl} leads here`)
    : bad("address", `${publicUrl} answers ${response.status}`, "Let the proxy pass every path to the port of Prosa.");
}

/** A proxy that does not pass the upgrade answers, but nobody sees anything without F5. */
async function lookAtSocket(publicUrl: string): Promise<Finding> {
  const address = `${publicUrl.replace(/^http/u, "ws")}/socket.io/?EIO=4&transport=websocket`;
  const socket = new WebSocket(address);
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.addEventListener("open", () => resolve(true));
    socket.addEventListener("error", () => resolve(false));
    setTimeout(() => resolve(false), WITHIN_MS).unref();
  });
  socket.close();
  return isOpen
    ? good("sockets", "the WebSocket comes through")
    : bad(
        "sockets",
        "the WebSocket does not come through: nobody would see anything new without reloading",
        "Let the proxy pass Upgrade and Connection for /socket.io/ (deploy/nginx.conf shows how).",
      );
}

async function lookAtCertificate(url: URL): Promise<Finding> {
  const socket = connect({
    host: url.hostname,
    port: Number(url.port || 443),
    servername: url.hostname,
    timeout: WITHIN_MS,
  });
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(WITHIN_MS) });
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / DAY_MS);
    return days > SOON_DAYS
      ? good("certificate", `valid for ${days} days`)
      : doubtful("certificate", `ends in ${days} days`, "See whether its renewal works.");
  } finally {
    socket.destroy();
  }
}

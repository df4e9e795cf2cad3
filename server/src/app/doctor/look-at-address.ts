import { once } from "node:events";
import { connect } from "node:tls";
import type { Config } from "#server/platform/config/index.ts";
import { bad, doubtful, good, look } from "./finding.ts";
import type { Observation } from "./finding.ts";

const WITHIN_MS = 5_000;
const SOON_DAYS = 14;
const DAY_MS = 86_400_000;

/** Whether what people open arrives here, as theirs: page, WebSocket, certificate, proxy. Only with PUBLIC_URL and a running server. */
export async function lookAtAddress({ publicUrl, isProduction, trustProxy }: Config): Promise<readonly Observation[]> {
  if (publicUrl === undefined) {
    return [isProduction ? doubtful("sAddress", "addressUnset", "addressUnsetDo") : good("sAddress", "addressLocal")];
  }
  const isHttps = publicUrl.startsWith("https:");
  const findings = await Promise.all([
    look("sAddress", () => lookAtPage(publicUrl)),
    look("sSockets", () => lookAtSocket(publicUrl)),
    ...(isHttps ? [look("sCertificate", () => lookAtCertificate(new URL(publicUrl)))] : []),
  ]);
  // Prosa itself speaks no TLS, so there is a proxy.
  const isProxyUnknown = isHttps && trustProxy === false;
  return [...findings.flat(), ...(isProxyUnknown ? [doubtful("sProxy", "proxyUnknown", "proxyUnknownDo")] : [])];
}

async function lookAtPage(publicUrl: string): Promise<Observation> {
  const response = await fetch(`${publicUrl}/version`, {
    signal: AbortSignal.timeout(WITHIN_MS),
    redirect: "manual",
  }).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  if (response instanceof Error) {
    const reason = response.cause instanceof Error ? response.cause.message : response.message;
    return bad("sAddress", "addressSilent", "addressSilentDo", { url: publicUrl, reason });
  }
  return response.ok
    ? good("sAddress", "address", { url: publicUrl })
    : bad("sAddress", "addressBad", "addressBadDo", { url: publicUrl, status: response.status });
}

/** A proxy that does not pass the upgrade answers, but nobody sees anything without F5. */
async function lookAtSocket(publicUrl: string): Promise<Observation> {
  const address = `${publicUrl.replace(/^http/u, "ws")}/socket.io/?EIO=4&transport=websocket`;
  const socket = new WebSocket(address);
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.addEventListener("open", () => resolve(true));
    socket.addEventListener("error", () => resolve(false));
    setTimeout(() => resolve(false), WITHIN_MS).unref();
  });
  socket.close();
  return isOpen ? good("sSockets", "sockets") : bad("sSockets", "socketsBad", "socketsBadDo");
}

async function lookAtCertificate(url: URL): Promise<Observation> {
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
      ? good("sCertificate", "certificate", { days })
      : doubtful("sCertificate", "certificateSoon", "certificateSoonDo", { count: days });
  } finally {
    socket.destroy();
  }
}

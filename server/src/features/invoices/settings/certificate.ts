import { createSecureContext } from "node:tls";
import { AppError } from "#server/platform/ctx.ts";

/** A client certificate as it is kept. */
export type ClientCertificate = { readonly pem: string } | { readonly p12: string };

/**
 * Reads what the operator pasted: PEM with certificate and key, or a p12 without password as base64. Throws ERR_VALIDATION for what
 * TLS cannot use, so that it is noticed now and not with the first payment.
 */
export function readCertificate(text: string): ClientCertificate {
  const certificate = text.includes("-----BEGIN") ? { pem: text } : { p12: text.replace(/\s+/g, "") };
  try {
    createSecureContext(tlsOf(certificate));
  } catch (cause) {
    throw new AppError("ERR_VALIDATION", { fields: { certificate: "Invalid certificate" } }, { cause });
  }
  return certificate;
}

/** For the TLS client. */
export function tlsOf(certificate: ClientCertificate) {
  if ("p12" in certificate) {
    return { pfx: Buffer.from(certificate.p12, "base64") };
  }
  const { pem } = certificate;
  const key = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]+?-----END [A-Z ]*PRIVATE KEY-----/.exec(pem)?.[0];
  const cert = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)?.join("\n");
  if (key === undefined || cert === undefined) {
    throw new Error("a PEM needs a certificate and its key");
  }
  return { key, cert };
}

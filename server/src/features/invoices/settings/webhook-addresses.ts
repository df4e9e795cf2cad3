import type { Services } from "#server/platform/services.ts";

export const REGISTER_TASK = "invoices.register-webhook";

const purpose = "efi webhook";
/** The address is entered once and stays: it must not expire, and comes out the same each time. */
const never = new Date("2200-01-01T00:00:00Z");

/**
 * Where Efí calls. Its calls bring a client certificate, but TLS usually ends at a proxy; so the secret in the path stands for it, as
 * Efí describes for "skip-mTLS".
 */
export function efiWebhookUrl({ signer, publicUrl }: Pick<Services, "signer" | "publicUrl">): string {
  return `${publicUrl()}/webhooks/efi/${signer.sign(purpose, "efi", never)}`;
}

export function isEfiSecret({ signer }: Pick<Services, "signer">, secret: string): boolean {
  const verified = signer.verify(purpose, secret);
  return verified.state === "valid" && verified.payload === "efi";
}

export function asaasWebhookUrl({ publicUrl }: Pick<Services, "publicUrl">): string {
  return `${publicUrl()}/webhooks/asaas`;
}

import { z } from "zod";
import { isSameSecret } from "#server/platform/auth/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Services } from "#server/platform/services.ts";
import { asaasWebhookToken, isEfiSecret } from "../settings/index.ts";
import { findChargesNamed } from "./charges.queries.ts";
import type { ChargeRow } from "./charges.queries.ts";
import { enqueueCheck } from "./check-charge.ts";

/** Of one call. */
const maxNamed = 200;

const efiCall = z.object({ pix: z.array(z.object({ txid: z.string().max(100).optional() })).max(maxNamed) });
const asaasCall = z.object({
  payment: z.object({ id: z.string().max(100), externalReference: z.string().max(100).nullish() }),
});

/**
 * Efí's webhook: a hint that makes us ask about the charges that it names. Throws ERR_NOT_FOUND for a wrong secret. Its other calls,
 * such as the one that tests the address, name nothing.
 */
export async function hearEfi(services: Services, secret: string, body: unknown): Promise<void> {
  if (!isEfiSecret(services, secret)) {
    throw new AppError("ERR_NOT_FOUND");
  }
  const { pix = [] } = efiCall.safeParse(body).data ?? {};
  await askAbout(services, "efi", { txids: pix.flatMap(({ txid }) => txid ?? []), references: [] });
}

/** The same of Asaas. Throws ERR_NOT_FOUND without the token that the operator has chosen. */
export async function hearAsaas(services: Services, token: unknown, body: unknown): Promise<void> {
  const expected = await asaasWebhookToken(services);
  if (typeof token !== "string" || expected === undefined || !isSameSecret(token, expected)) {
    throw new AppError("ERR_NOT_FOUND");
  }
  const { payment } = asaasCall.safeParse(body).data ?? {};
  const txids = payment?.externalReference ? [payment.externalReference] : [];
  await askAbout(services, "asaas", { txids, references: payment ? [payment.id] : [] });
}

async function askAbout(
  { db, clock }: Services,
  provider: ChargeRow["provider"],
  named: Parameters<typeof findChargesNamed>[2],
): Promise<void> {
  if (named.txids.length + named.references.length > 0) {
    await db.systemTx(async (tx) => {
      const charges = await findChargesNamed(tx, provider, named);
      charges.forEach((charge) => enqueueCheck(tx, charge, clock.now()));
    });
  }
}

import { signedTypes } from "@prosa/contract";
import type { IntegrationType } from "@prosa/contract";
import type { Vault } from "#server/platform/auth/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { newWebhookSecret } from "#server/platform/net/index.ts";
import type { CalledIntegration } from "./protocols/index.ts";
import { accountContext, findSealedIntegration, saveIntegration, secretContext } from "./queue-integrations.queries.ts";

/**
 * An integration with its secrets in clear, for one call; undefined if it was deleted. A type that signs is given its secret where it
 * has none (a row of an old release): an empty key would sign nothing.
 */
export async function openCalled(
  ctx: Ctx,
  vault: Vault,
  id: number,
): Promise<(CalledIntegration & { readonly type: IntegrationType }) | undefined> {
  const row = await findSealedIntegration(ctx, id);
  if (!row) {
    return undefined;
  }
  const { companyId } = ctx;
  const open = (sealed: Buffer | null, context: string) =>
    sealed === null ? "" : vault.open(sealed, context).toString();
  const isUnsigned = row.secret === null && signedTypes.includes(row.type);
  return {
    id,
    type: row.type,
    name: row.name,
    url: row.url_n8n,
    secret: isUnsigned ? await giveSecret(ctx, vault, id) : open(row.secret, secretContext(companyId, id)),
    projectName: row.project_name,
    location: row.location,
    language: row.language,
    account: open(row.json_content, accountContext(companyId, id)),
    typebotSlug: row.typebot_slug,
    delayMs: row.typebot_delay_message,
    expiresMinutes: row.typebot_expires,
    keywordFinish: row.typebot_keyword_finish,
    keywordRestart: row.typebot_keyword_restart,
    restartMessage: row.typebot_restart_message,
    unknownMessage: row.typebot_unknown_message,
  };
}

/** A new secret, which signs every call from then on. */
export async function giveSecret(ctx: Ctx, vault: Vault, id: number): Promise<string> {
  const secret = newWebhookSecret();
  await saveIntegration(ctx, id, { secret: vault.seal(secret, secretContext(ctx.companyId, id)) });
  return secret;
}

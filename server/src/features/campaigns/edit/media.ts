import { findMessageFiles } from "#server/features/messages/index.ts";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { RequestScope, Upload } from "#server/platform/http/index.ts";
import { withStoredUpload } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { campaignEvent } from "../campaigns.events.ts";
import { findCampaign, findLineIds } from "../campaigns.queries.ts";
import type { CampaignRow } from "../campaigns.queries.ts";
import { lockEditable, removeCampaign } from "./edit-campaign.ts";
import { findCampaignFiles, saveCampaign } from "./edit.queries.ts";
import type { CampaignFile } from "./edit.queries.ts";
import { requireComplete } from "./require-complete.ts";

const noFile: CampaignFile = { media_path: null, media_name: null, media_type: null, media_size: null };

/** Attaches a file, which replaces an earlier one. ERR_CAMPAIGN_NOT_EDITABLE. */
export async function attachFile(
  scope: RequestScope,
  storage: Storage,
  id: number,
  upload: Upload | undefined,
): Promise<CampaignRow> {
  if (!upload) {
    throw new AppError("ERR_VALIDATION", { fields: { file: "Required" } });
  }
  // Check first: nobody may fill the disk with files for campaigns that cannot be changed.
  await scope.inCompany((ctx) => lockEditable(ctx, id));
  const place = { companyId: scope.actor?.companyId ?? 0, folder: "campaigns" };
  const { before, row } = await withStoredUpload(storage, place, upload, (file) =>
    scope.inCompany((ctx) => replaceFile(ctx, id, file)),
  );
  await deleteUnlessUsed(scope, storage, before);
  return row;
}

/** Takes the file off. ERR_CAMPAIGN_NOT_EDITABLE, ERR_VALIDATION where a scheduled one has nothing else to send. */
export async function detachFile(scope: RequestScope, storage: Storage, id: number): Promise<CampaignRow> {
  const { before, row } = await scope.inCompany((ctx) => replaceFile(ctx, id, noFile));
  await deleteUnlessUsed(scope, storage, before);
  return row;
}

/** Deletes a campaign, and its file after the commit: no row ever refers to a deleted file. */
export async function removeWithFile(scope: RequestScope, storage: Storage, id: number): Promise<void> {
  await deleteUnlessUsed(scope, storage, await scope.inCompany((ctx) => removeCampaign(ctx, id)));
}

async function replaceFile(ctx: Ctx, id: number, file: CampaignFile) {
  const stored = await lockEditable(ctx, id);
  if (stored.status === "PROGRAMADA") {
    requireComplete({ ...stored, ...file }, await findLineIds(ctx, id));
  }
  await saveCampaign(ctx, id, file);
  ctx.emit(campaignEvent("updated", id));
  return { before: stored.media_path, row: await findCampaign(ctx, id) };
}

/** Clones and sent messages refer to the same file: files are immutable. */
async function deleteUnlessUsed(scope: RequestScope, storage: Storage, key: string | null): Promise<void> {
  if (key === null) {
    return;
  }
  const users = await scope.read(async (ctx) => [
    ...(await findCampaignFiles(ctx, [key])),
    ...(await findMessageFiles(ctx, [key])),
  ]);
  if (users.length === 0) {
    await storage.delete(key);
  }
}

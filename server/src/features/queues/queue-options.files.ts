import type { Ctx } from "#server/platform/ctx.ts";
import type { RequestScope, Upload } from "#server/platform/http/index.ts";
import { withStoredUpload } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { isFileSent } from "./queue-options.queries.ts";
import { saveOptionFile, getOption } from "./queue-options.service.ts";
import type { OptionInTree } from "./queue-options.service.ts";

/** Attaches a file to an option; replaces and deletes the file before. */
export async function attachOptionFile(
  edge: RequestScope,
  storage: Storage,
  id: number,
  upload: Upload,
): Promise<OptionInTree> {
  // Check that the option exists before storing: a caller must not fill the disk for another company's option.
  const { before, companyId } = await edge.read(async (ctx) => ({
    before: (await getOption(ctx, id)).media_path,
    companyId: ctx.companyId,
  }));
  const saved = await withStoredUpload(storage, { companyId, folder: "queue-options" }, upload, (file) =>
    edge.inCompany((ctx) => saveOptionFile(ctx, id, file)),
  );
  await deleteUnlessSent(edge, storage, before);
  return saved;
}

/** Removes the file of an option. */
export async function detachOptionFile(edge: RequestScope, storage: Storage, id: number): Promise<OptionInTree> {
  const { media_path: before } = await edge.read((ctx) => getOption(ctx, id));
  const saved = await edge.inCompany((ctx) =>
    saveOptionFile(ctx, id, { media_path: null, media_name: null, media_type: null, media_size: null }),
  );
  await deleteUnlessSent(edge, storage, before);
  return saved;
}

/**
 * Deletes an option or a queue with all options below. `remove` returns the keys of their files, which are deleted after
 * the commit, so that no row refers to a missing file.
 */
export async function removeWithFiles(
  edge: RequestScope,
  storage: Storage,
  remove: (ctx: Ctx) => Promise<readonly string[]>,
): Promise<void> {
  const paths = await edge.inCompany(remove);
  await Promise.all(paths.map((path) => deleteUnlessSent(edge, storage, path)));
}

/** Deletes a file, unless a message refers to it: the conversation shows it. */
async function deleteUnlessSent(edge: RequestScope, storage: Storage, key: string | null): Promise<void> {
  if (key !== null && !(await edge.read((ctx) => isFileSent(ctx, key)))) {
    await storage.delete(key);
  }
}

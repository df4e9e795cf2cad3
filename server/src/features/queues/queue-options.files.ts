import { randomUUID } from "node:crypto";
import type { Ctx } from "#server/platform/ctx.ts";
import type { RequestScope, Upload } from "#server/platform/http/index.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import type { Storage } from "#server/platform/storage/index.ts";
import { isFileSent } from "./queue-options.queries.ts";
import { changeFile, getOption } from "./queue-options.service.ts";
import type { OptionInTree } from "./queue-options.service.ts";

/** Puts a file on an option, in place of the one before. */
export async function attachFile(
  edge: RequestScope,
  storage: Storage,
  id: number,
  upload: Upload,
): Promise<OptionInTree> {
  // Nobody fills our disk with files for what is not theirs.
  const { before, companyId } = await edge.read(async (ctx) => ({
    before: (await getOption(ctx, id)).media_path,
    companyId: ctx.companyId,
  }));
  const key = storageKey(companyId, "queue-options", randomUUID());
  const { size } = await storage.put(key, upload.stream(), { contentType: upload.contentType });
  try {
    const file = { media_path: key, media_name: upload.name, media_type: upload.contentType, media_size: size };
    const saved = await edge.inCompany((ctx) => changeFile(ctx, id, file));
    await drop(edge, storage, before);
    return saved;
  } catch (error) {
    await storage.delete(key);
    throw error;
  }
}

/** Takes the file off. */
export async function detachFile(edge: RequestScope, storage: Storage, id: number): Promise<OptionInTree> {
  const { media_path: before } = await edge.read((ctx) => getOption(ctx, id));
  const saved = await edge.inCompany((ctx) =>
    changeFile(ctx, id, { media_path: null, media_name: null, media_type: null, media_size: null }),
  );
  await drop(edge, storage, before);
  return saved;
}

/**
 * Deletes an option, or a queue, with all below it: `remove` tells the files that hung there. They go after the commit,
 * so that no row ever points to nothing.
 */
export async function removeWithFiles(
  edge: RequestScope,
  storage: Storage,
  remove: (ctx: Ctx) => Promise<readonly string[]>,
): Promise<void> {
  const paths = await edge.inCompany(remove);
  await Promise.all(paths.map((path) => drop(edge, storage, path)));
}

/** What a message carries stays: the conversation shows it. */
async function drop(edge: RequestScope, storage: Storage, key: string | null): Promise<void> {
  if (key !== null && !(await edge.read((ctx) => isFileSent(ctx, key)))) {
    await storage.delete(key);
  }
}

import type { BodyOf, fileLists } from "@prosa/contract";
import type { Ctx } from "#server/platform/ctx.ts";
import type { RequestScope, Upload } from "#server/platform/http/index.ts";
import { withStoredUpload } from "#server/platform/storage/index.ts";
import type { FileColumns, Storage } from "#server/platform/storage/index.ts";
import { fileListEvent } from "./files.events.ts";
import { findReferencedFiles, findSentFiles, saveOptionFiles } from "./files.queries.ts";
import type { FileListRow } from "./files.queries.ts";
import { getFileList, lockedFileList } from "./files.service.ts";
import { matchUploads } from "./match-uploads.ts";
import type { UploadFields } from "./match-uploads.ts";

export const fileListFolder = "file-lists";

/** Attaches files to options of a list; a file that one had before is deleted. */
export async function uploadToFileList(
  scope: RequestScope,
  storage: Storage,
  id: number,
  body: BodyOf<typeof fileLists.upload>,
  uploads: readonly Upload[],
): Promise<FileListRow> {
  // Look first: nobody may fill the disk with files for a list that is not theirs, or that has no option for them.
  const companyId = await scope.read(async (ctx) => {
    matchUploads((await getFileList(ctx, id)).options, uploads.length, body);
    return ctx.companyId;
  });
  const { row, dropped } = await withStoredUploads(storage, companyId, uploads, (files) =>
    scope.inCompany((ctx) => attachFiles(ctx, id, body, files)),
  );
  await deleteUnused(scope, storage, dropped);
  return row;
}

async function attachFiles(ctx: Ctx, id: number, fields: UploadFields, files: readonly FileColumns[]) {
  const { options } = await lockedFileList(ctx, id);
  const ids = matchUploads(options, files.length, fields);
  await saveOptionFiles(
    ctx,
    id,
    files.map((file, index) => ({ ...file, id: ids[index]! })),
  );
  ctx.emit(fileListEvent("updated", id));
  const replaced = options.filter((option) => ids.includes(option.id));
  return { row: await getFileList(ctx, id), dropped: replaced.flatMap(({ media_path: key }) => key ?? []) };
}

/** Stores them one after the other, before the transaction of `work`; if something fails, none stays. */
async function withStoredUploads<T>(
  storage: Storage,
  companyId: number,
  [next, ...more]: readonly Upload[],
  work: (files: readonly FileColumns[]) => Promise<T>,
): Promise<T> {
  return next
    ? withStoredUpload(storage, { companyId, folder: fileListFolder }, next, (file) =>
        withStoredUploads(storage, companyId, more, (others) => work([file, ...others])),
      )
    : work([]);
}

/** Deletes files after the commit that let go of them, unless a message or an option refers to them. */
export async function deleteUnused(scope: RequestScope, storage: Storage, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) {
    const used = new Set(
      await scope.read(async (ctx) => [...(await findSentFiles(ctx, keys)), ...(await findReferencedFiles(ctx, keys))]),
    );
    await Promise.all(keys.filter((key) => !used.has(key)).map((key) => storage.delete(key)));
  }
}

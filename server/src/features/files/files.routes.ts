import { fileLists } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api, RequestScope } from "#server/platform/http/index.ts";
import type { FileListRow } from "./files.queries.ts";
import { createFileList, getFileList, listFileLists, removeFileList, updateFileList } from "./files.service.ts";
import { fileListView } from "./files.view.ts";
import { deleteUnused, uploadToFileList } from "./list-files.ts";

export function filesRoutes(api: Api): void {
  const { media, storage } = api.services;
  const view = (companyId: number, row: FileListRow) => fileListView(media, companyId, row);
  const viewFor = ({ actor }: RequestScope, row: FileListRow) => view(actor?.companyId ?? 0, row);
  // Files are stored and deleted outside the transaction.
  const noTransaction = { transaction: "none" } as const;

  serve(api, fileLists.list, async (ctx, { query: { searchParam, pageNumber, companyId } }) => {
    const page = companyId === undefined ? (pageNumber ?? 1) : pageNumber;
    const { rows, count, hasMore } = await listFileLists(ctx, { searchParam, pageNumber: page });
    return { files: rows.map((row) => view(ctx.companyId, row)), count, hasMore };
  });
  serve(api, fileLists.get, async (ctx, { params }) => view(ctx.companyId, await getFileList(ctx, params.id)));
  serve(api, fileLists.create, async (ctx, { body }) => view(ctx.companyId, await createFileList(ctx, body)));
  serve(
    api,
    fileLists.update,
    async (scope, { params, body }) => {
      const { row, dropped } = await scope.inCompany((ctx) => updateFileList(ctx, params.id, body));
      await deleteUnused(scope, storage, dropped);
      return viewFor(scope, row);
    },
    noTransaction,
  );
  serve(
    api,
    fileLists.remove,
    async (scope, { params }) => {
      const keys = await scope.inCompany((ctx) => removeFileList(ctx, params.id));
      await deleteUnused(scope, storage, keys);
      return { message: "File list deleted" };
    },
    noTransaction,
  );
  serve(
    api,
    fileLists.upload,
    async (scope, { params, body, files }) =>
      viewFor(scope, await uploadToFileList(scope, storage, params.id, body, files)),
    noTransaction,
  );
}

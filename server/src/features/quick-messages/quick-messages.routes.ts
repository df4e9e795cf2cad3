import { quickMessages } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import {
  attachFile,
  createQuickMessage,
  detachFile,
  getQuickMessage,
  listQuickMessages,
  removeQuickMessage,
  sendableQuickMessages,
  updateQuickMessage,
} from "./quick-messages.service.ts";
import type { OnQuickMessagesChanged } from "./quick-messages.service.ts";
import type { QuickMessageRow } from "./quick-messages.queries.ts";
import { quickMessageView } from "./quick-messages.view.ts";

export function quickMessagesRoutes(api: Api, onChanged: OnQuickMessagesChanged): void {
  const { media, storage } = api.services;
  const view = (companyId: number, row: QuickMessageRow) => quickMessageView(media, companyId, row);
  // Files are stored and deleted outside the transaction.
  const noTransaction = { transaction: "none" } as const;

  serve(api, quickMessages.list, async (ctx, { query }) => {
    const { rows, count, hasMore } = await listQuickMessages(ctx, query);
    return { records: rows.map((row) => view(ctx.companyId, row)), count, hasMore };
  });
  serve(api, quickMessages.lookup, async (ctx) =>
    (await sendableQuickMessages(ctx)).map((row) => view(ctx.companyId, row)),
  );
  serve(api, quickMessages.get, async (ctx, { params }) => view(ctx.companyId, await getQuickMessage(ctx, params.id)));
  const changed = async (ctx: Ctx, row: QuickMessageRow) => {
    await onChanged(ctx);
    return view(ctx.companyId, row);
  };
  serve(api, quickMessages.create, async (ctx, { body }) => changed(ctx, await createQuickMessage(ctx, body)));
  serve(api, quickMessages.update, async (ctx, { params, body }) =>
    changed(ctx, await updateQuickMessage(ctx, params.id, body)),
  );
  serve(
    api,
    quickMessages.remove,
    async (scope, { params }) => {
      await removeQuickMessage(scope, storage, params.id, onChanged);
      return { message: "Quick message deleted" };
    },
    noTransaction,
  );
  serve(
    api,
    quickMessages.upload,
    async (scope, { params, files: [file] }) => {
      if (!file) {
        throw new AppError("ERR_VALIDATION", { fields: { file: "Required" } });
      }
      return view(scope.actor?.companyId ?? 0, await attachFile(scope, storage, params.id, file));
    },
    noTransaction,
  );
  serve(
    api,
    quickMessages.removeMedia,
    async (scope, { params }) => view(scope.actor?.companyId ?? 0, await detachFile(scope, storage, params.id)),
    noTransaction,
  );
}

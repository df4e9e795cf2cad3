import { queueOptions } from "@prosa/contract";
import type { QueueOption } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Actor, Ctx } from "#server/platform/ctx.ts";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { attachOptionFile, detachOptionFile, removeWithFiles } from "./queue-options.files.ts";
import type { QueueOptionRow } from "./queue-options.queries.ts";
import { createOption, listOptions, removeOption, updateOption } from "./queue-options.service.ts";
import type { OptionInTree } from "./queue-options.service.ts";
import { queueOptionView } from "./queue-options.view.ts";

/** The specification's client sends -1 for "no parent". */
const rootParentId = -1;

export function queueOptionsRoutes(api: Api): void {
  const { media, storage } = api.services;
  const views = (ctx: Ctx, rows: readonly QueueOptionRow[], all: readonly QueueOptionRow[]): QueueOption[] =>
    rows.map((row) => queueOptionView(media, ctx.companyId, row, all));
  const view = (companyId: number, { row, all }: OptionInTree) => queueOptionView(media, companyId, row, all);
  const companyOf = (actor: Actor | undefined) => actor?.companyId ?? 0;
  // Files are stored and deleted outside the transaction.
  const noTransaction = { transaction: "none" } as const;

  serve(api, queueOptions.list, async (ctx, { query }) => {
    const all = await listOptions(ctx, query.queueId);
    const parentId = query.parentId === rootParentId ? null : query.parentId;
    return views(
      ctx,
      all.filter((row) => row.parent_id === parentId),
      all,
    );
  });
  serve(api, queueOptions.tree, async (ctx, { params }) => {
    const all = await listOptions(ctx, params.id);
    return views(ctx, all, all);
  });
  serve(api, queueOptions.create, async (ctx, { body }) => view(ctx.companyId, await createOption(ctx, body)));
  serve(api, queueOptions.update, async (ctx, { params, body }) =>
    view(ctx.companyId, await updateOption(ctx, params.id, body)),
  );
  serve(
    api,
    queueOptions.remove,
    async (edge, { params }) => {
      await removeWithFiles(edge, storage, (ctx) => removeOption(ctx, params.id));
      return { message: "Queue option deleted" };
    },
    noTransaction,
  );
  serve(
    api,
    queueOptions.upload,
    async (edge, { params, files: [file] }) => {
      if (!file) {
        throw new AppError("ERR_VALIDATION", { fields: { file: "Required" } });
      }
      return view(companyOf(edge.actor), await attachOptionFile(edge, storage, params.id, file));
    },
    noTransaction,
  );
  serve(
    api,
    queueOptions.removeMedia,
    async (edge, { params }) => view(companyOf(edge.actor), await detachOptionFile(edge, storage, params.id)),
    noTransaction,
  );
}

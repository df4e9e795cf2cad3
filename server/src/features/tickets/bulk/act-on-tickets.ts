import { bulkUndoMs } from "@prosa/contract";
import type { BulkAct, BulkOutcome } from "@prosa/contract";
import { tagsOf } from "#server/features/tags/index.ts";
import { AppError, requireUser } from "#server/platform/ctx.ts";
import type { Ctx, UserActor } from "#server/platform/ctx.ts";
import { checkTransferTarget, decideMove, decideTransfer, tellNewOwner } from "../move/index.ts";
import type { MovePorts } from "../move/index.ts";
import { ticketUpdated } from "../tickets.events.ts";
import { mustSee } from "../tickets.policy.ts";
import { lockTickets } from "../tickets.queries.ts";
import type { TicketRow } from "../tickets.queries.ts";
import type { TicketChange } from "../tickets.state.ts";
import { bulkNoticeJob } from "./bulk-notices.jobs.ts";
import { addTags, insertBulk, readStateSnapshots, saveTickets } from "./bulk.queries.ts";
import type { BulkSnapshot } from "./bulk.queries.ts";

export interface BulkResult {
  /** Null where nothing changed, so that there is nothing to undo. */
  readonly bulkId: string | null;
  /** One for each requested ticket. */
  readonly outcomes: readonly BulkOutcome[];
}

type WithdrawPort = Pick<MovePorts, "withdrawPaused">;
type MoveAct = Exclude<BulkAct, { verb: "tag" }>;
interface PlannedChange {
  readonly ticket: TicketRow;
  readonly change: TicketChange;
}

/**
 * Applies one action to many tickets in one transaction and a fixed number of statements. Each ticket is allowed or refused
 * as by the single call; a refused one does not stop the others. Customer notices are sent after the undo deadline.
 */
export async function actOnTickets(
  ctx: Ctx,
  ticketIds: readonly number[],
  act: BulkAct,
  { withdrawPaused }: WithdrawPort,
): Promise<BulkResult> {
  const actor = requireUser(ctx);
  const ids = [...new Set(ticketIds)];
  const found = new Map((await lockTickets(ctx, ids)).map((ticket) => [ticket.id, ticket]));

  const decide = act.verb === "tag" ? await decideTags(ctx, actor, act) : await decideMoves(ctx, actor, act);
  const outcomes = new Map<number, BulkOutcome>();
  const planned: PlannedChange[] = [];
  for (const ticketId of ids) {
    const decision = decideOne(found.get(ticketId), decide);
    outcomes.set(ticketId, { ticketId, ...decision.outcome });
    if (decision.planned) {
      planned.push(decision.planned);
    }
  }

  const snapshots =
    act.verb === "tag"
      ? await addTagsTo(ctx, planned, act.tagIds)
      : await moveAll(ctx, planned, { act, withdrawPaused });
  const changed = new Set(snapshots.map(({ id }) => id));
  for (const { ticket } of planned.filter((each) => !changed.has(each.ticket.id))) {
    outcomes.set(ticket.id, { ticketId: ticket.id, outcome: "unchanged" });
  }
  if (snapshots.length === 0) {
    return { bulkId: null, outcomes: [...outcomes.values()] };
  }

  const undoUntil = new Date(ctx.now().getTime() + bulkUndoMs);
  const bulkId = await insertBulk(ctx, actor.userId, snapshots, undoUntil);
  const changes = planned
    .filter(({ ticket }) => changed.has(ticket.id))
    .map(({ ticket, change }) => ({ before: ticket, after: { ...ticket, ...change } }));
  for (const { before, after } of changes) {
    ctx.emit(ticketUpdated(before.id, before, after));
    if (act.verb !== "tag") {
      ctx.enqueue(bulkNoticeJob({ bulkId, verb: act.verb, before, after, at: ctx.now(), runAt: undoUntil }));
    }
  }
  if (act.verb === "transfer") {
    tellNewOwner(ctx, changes, null);
  }
  return { bulkId, outcomes: [...outcomes.values()] };
}

type Decide = (ticket: TicketRow) => TicketChange | undefined;

async function decideTags(ctx: Ctx, actor: UserActor, { tagIds }: Extract<BulkAct, { verb: "tag" }>): Promise<Decide> {
  const known = new Set((await tagsOf(ctx)).map(({ id }) => id));
  const missing = tagIds.find((id) => !known.has(id));
  if (missing !== undefined) {
    throw new AppError("ERR_NOT_FOUND", { tagId: missing });
  }
  return (ticket) => {
    mustSee(actor, ticket);
    return {};
  };
}

async function decideMoves(ctx: Ctx, actor: UserActor, act: MoveAct): Promise<Decide> {
  if (act.verb !== "transfer") {
    return (ticket) => decideMove(actor, ticket, act.verb);
  }
  await checkTransferTarget(ctx, null, act);
  return (ticket) => decideTransfer(actor, ticket, act);
}

type Decision =
  | { readonly outcome: { readonly outcome: "done" | "unchanged" }; readonly planned?: PlannedChange }
  | {
      readonly outcome: { readonly outcome: "refused"; readonly code: AppError["code"] };
      readonly planned?: undefined;
    };

function decideOne(ticket: TicketRow | undefined, decide: Decide): Decision {
  if (!ticket) {
    return { outcome: { outcome: "refused", code: "ERR_NO_TICKET_FOUND" } };
  }
  try {
    const change = decide(ticket);
    return change
      ? { outcome: { outcome: "done" }, planned: { ticket, change } }
      : { outcome: { outcome: "unchanged" } };
  } catch (error) {
    if (error instanceof AppError) {
      return { outcome: { outcome: "refused", code: error.code } };
    }
    throw error;
  }
}

async function addTagsTo(
  ctx: Ctx,
  planned: readonly PlannedChange[],
  tagIds: readonly number[],
): Promise<BulkSnapshot[]> {
  return planned.length === 0
    ? []
    : addTags(
        ctx,
        planned.map(({ ticket }) => ticket.id),
        tagIds,
      );
}

async function moveAll(
  ctx: Ctx,
  planned: readonly PlannedChange[],
  { act, withdrawPaused }: WithdrawPort & { readonly act: MoveAct },
): Promise<BulkSnapshot[]> {
  if (planned.length === 0) {
    return [];
  }
  const ids = planned.map(({ ticket }) => ticket.id);
  // Not after the undo deadline: until then the bot would go on speaking in the agent's conversation.
  const withdrawn = await withdrawPaused(ctx, ids);
  const before = await readStateSnapshots(ctx, ids);
  const versions = new Map((await saveTickets(ctx, planned, stepOf(act))).map(({ id, version }) => [id, version]));
  return before.map(({ id, was }) => ({ id, was, version: versions.get(id) ?? 0, withdrawn: withdrawn.get(id) ?? [] }));
}

function stepOf(act: MoveAct): "start" | "requeue" | "finish" {
  switch (act.verb) {
    case "accept":
      return "start";
    case "resolve":
      return "finish";
    case "transfer":
      return act.userId === null ? "requeue" : "start";
  }
}

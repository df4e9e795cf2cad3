import type { Ctx } from "#server/platform/ctx.ts";

/** Moves what belongs to one contact to another, in the same transaction: tickets with their messages, notes. */
export type MoveContactData = (ctx: Ctx, from: number, to: number) => Promise<void>;

/**
 * The features whose rows belong to a contact and move with it in a merge. They are passed in, because the feature
 * contacts lies below them and must not import them.
 */
export interface ContactMergeParticipants<Snapshot = unknown> {
  readonly move: MoveContactData;
  /** Moves, and returns what `restore` needs to undo it: JSON. */
  moveWithSnapshot(ctx: Ctx, from: number, to: number): Promise<Snapshot>;
  /** Undoes a move: contact `from` gives back to `to` what the snapshot says was its own. Both are as they were before the merge. */
  restore(ctx: Ctx, from: number, to: number, snapshot: Snapshot): Promise<void>;
  /** ERR_CONTACT_BEING_ERASED where one of these contacts is; they are locked. */
  mustNotBeErased(ctx: Ctx, contactIds: readonly number[]): Promise<void>;
  /** An erasure of the contact that was merged away goes on at the one that stays. */
  moveErasure: MoveContactData;
}

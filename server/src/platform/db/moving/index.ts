export { openDryMove } from "./dry-target.ts";
export { beginMove, findFingerprint, forgetMoved, forgetMovedRows, moveTxIn, openMove } from "./target.ts";
export { undoRun } from "./undo.ts";
export type { Undone } from "./undo.ts";
export type { KnownRow, Moved, MoveSource, MoveTarget, MoveTx, NewRow } from "./target.ts";

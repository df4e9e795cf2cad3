/** May this user open a gated screen? Pure: the router, the menu and the palette ask the same. */
import type { SessionUser } from "@prosa/contract/auth";
import { can, hasFeature, isAdmin } from "#web/lib/permissions.ts";
import type { Gate } from "./screens.ts";

export interface Flags {
  /** Whether the browser storage has `cshow`. */
  readonly cshow: boolean;
}

export function mayOpen(gate: Gate, user: SessionUser, flags: Flags): boolean {
  return (
    (gate.who !== "super" || user.super) &&
    (gate.who !== "admin" || isAdmin(user)) &&
    (gate.rule === undefined || can(user, gate.rule)) &&
    (gate.plan === undefined || hasFeature(user, gate.plan)) &&
    (!gate.needsCshow || flags.cshow)
  );
}

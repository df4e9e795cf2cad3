/** Route access of a user. Pure: the router, the menu and the command palette use the same function. */
import type { SessionUser } from "@prosa/contract/auth";
import { can, hasFeature, isAdmin } from "#web/lib/session/permissions.ts";
import type { RouteAccess } from "./screens.ts";

export interface BrowserFlags {
  /** Whether the browser storage has `cshow`. */
  readonly cshow: boolean;
}

export function canOpen(gate: RouteAccess, user: SessionUser, flags: BrowserFlags): boolean {
  return (
    (gate.who !== "super" || user.super) &&
    (gate.who !== "admin" || isAdmin(user)) &&
    (gate.rule === undefined || can(user, gate.rule)) &&
    (gate.plan === undefined || hasFeature(user, gate.plan)) &&
    (!gate.needsCshow || flags.cshow) &&
    (!gate.needsSimulator || user.hasSimulator === true)
  );
}

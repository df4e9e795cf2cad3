/** Permissions of the signed-in user. The server checks the same table; this only decides what is offered. */
import type { SessionUser } from "@prosa/contract/auth";
import * as rights from "@prosa/contract/permissions";
import type { PermissionRule } from "@prosa/contract/permissions";
import type { PlanFlag } from "@prosa/contract/plan-flags";
import { useUser } from "./session.ts";

export function can(user: SessionUser, rule: PermissionRule): boolean {
  return user.permissions.includes(rule);
}

export function isAdmin(user: SessionUser): boolean {
  return rights.isAdmin({ profile: user.profile, isSuper: user.super });
}

/** A company without a plan (the operator's own) has everything. */
export function hasFeature(user: SessionUser, flag: PlanFlag): boolean {
  return user.company.plan?.[flag] ?? true;
}

/** `const mayDelete = useCan("contacts-page:deleteContact")`. */
export function useCan(rule: PermissionRule): boolean {
  return can(useUser(), rule);
}

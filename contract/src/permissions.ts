/** Profiles (specification 1 section 6); `super` is a separate flag. */
export const profiles = ["user", "supervisor", "admin"] as const;
export type Profile = (typeof profiles)[number];

/** Permission rules (behaviour 8), used by server and web app. */
export const permissionRules = [
  "dashboard:view",
  "drawer-admin-items:view",
  "tickets-manager:showall",
  "user-modal:editProfile",
  "user-modal:editQueues",
  "ticket-options:deleteTicket",
  "contacts-page:deleteContact",
  "connections-page:actionButtons",
  "connections-page:addConnection",
  "connections-page:editOrDeleteConnection",
  "tags:editKanban",
  "tags:delete",
  "products:delete",
  "schedules:showall",
] as const;
export type PermissionRule = (typeof permissionRules)[number];

const rulesOf: Record<Profile, readonly PermissionRule[]> = {
  user: [],
  // limited to the supervisor's queues where a rule shows tickets or figures
  supervisor: ["tickets-manager:showall", "dashboard:view", "tags:editKanban"],
  admin: permissionRules,
};

/** User fields that rights depend on. */
export interface PermissionHolder {
  readonly profile: Profile;
  readonly isSuper: boolean;
}

/** True for admins of the company and for the operator. */
export function isAdmin({ profile, isSuper }: PermissionHolder): boolean {
  return isSuper || profile === "admin";
}

/** Whether the user has the permission. The operator has all. */
export function hasPermission({ profile, isSuper }: PermissionHolder, rule: PermissionRule): boolean {
  return isSuper || rulesOf[profile].includes(rule);
}

/** May the user manage another user at all? Only an operator may manage an operator (V-04). */
export function canManageUser(
  actor: Pick<PermissionHolder, "isSuper">,
  target: Pick<PermissionHolder, "isSuper">,
): boolean {
  return actor.isSuper || !target.isSuper;
}

/** All permission rules of a profile, for views. */
export function rulesFor(profile: Profile): readonly PermissionRule[] {
  return rulesOf[profile];
}

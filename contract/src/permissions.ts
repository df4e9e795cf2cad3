/** Profiles of specification 1 section 6; `super` is a flag of its own. */
export const profiles = ["user", "supervisor", "admin"] as const;
export type Profile = (typeof profiles)[number];

/** Rules of behaviour 8. Server and web ask the same table. */
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

/** What of a person their rights depend on. */
export interface PermissionHolder {
  readonly profile: Profile;
  readonly isSuper: boolean;
}

/** Who acts as an admin of the company: by profile, or as the operator. */
export function isAdmin({ profile, isSuper }: PermissionHolder): boolean {
  return isSuper || profile === "admin";
}

/** Does this person hold the rule? The operator holds every one. */
export function hasPermission({ profile, isSuper }: PermissionHolder, rule: PermissionRule): boolean {
  return isSuper || rulesOf[profile].includes(rule);
}

/** May this person touch another at all? Only an operator touches an operator (V-04). */
export function canManageUser(
  actor: Pick<PermissionHolder, "isSuper">,
  target: Pick<PermissionHolder, "isSuper">,
): boolean {
  return actor.isSuper || !target.isSuper;
}

/** Every rule that a profile holds, for a view that carries them to the browser. */
export function rulesFor(profile: Profile): readonly PermissionRule[] {
  return rulesOf[profile];
}

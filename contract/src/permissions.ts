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
] as const;
export type PermissionRule = (typeof permissionRules)[number];

const rulesOf: Record<Profile, readonly PermissionRule[]> = {
  user: [],
  // limited to the supervisor's queues where a rule shows tickets or figures
  supervisor: ["tickets-manager:showall", "dashboard:view", "tags:editKanban"],
  admin: permissionRules,
};

/** Does this profile hold the rule? */
export function holdsRule(profile: Profile, rule: PermissionRule): boolean {
  return rulesOf[profile].includes(rule);
}

/** Every rule that a profile holds, for a view that carries them to the browser. */
export function rulesFor(profile: Profile): readonly PermissionRule[] {
  return rulesOf[profile];
}

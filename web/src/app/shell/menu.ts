/** The side menu: the full list of specification 1 section 2 as data, and who sees what as a pure function. */
import type { SessionUser } from "@prosa/contract/auth";
import { canOpen, type BrowserFlags } from "#web/app/routing/routeAccess.ts";
import type { RouteAccess } from "#web/app/routing/screens.ts";

export const menuKeys = [
  "dashboard",
  "tickets",
  "kanban",
  "quickMessages",
  "contacts",
  "products",
  "schedules",
  "tags",
  "chats",
  "helps",
  "campaigns",
  "contactLists",
  "campaignsConfig",
  "announcements",
  "prompts",
  "queueIntegration",
  "connections",
  "simulator",
  "files",
  "queues",
  "users",
  "messagesApi",
  "financeiro",
  "settings",
  "companies",
  "plans",
] as const;
export type MenuKey = (typeof menuKeys)[number];
export type MenuGroupKey = "work" | "campaigns" | "administration" | "operator";

export interface MenuEntry extends RouteAccess {
  readonly key: MenuKey;
  readonly path: string;
}
export interface MenuGroup {
  readonly key: MenuGroupKey;
  readonly isCollapsible: boolean;
  readonly entries: readonly MenuEntry[];
}

const admin = { rule: "drawer-admin-items:view" } as const;
const campaign = { ...admin, plan: "useCampaigns", needsCshow: true } as const;

/**
 * In the order of the drawing. Section 2 names the plan flag of an entry and section 6 what a plain user sees, so the
 * entries that section 6 leaves out are for admins: connections, campaigns, prompts, integrations, messages API. Settings
 * stand among the administration items of section 2, though their Options open for everybody who has the address
 * (specification 2 section 2).
 */
export const fullMenu: readonly MenuGroup[] = [
  {
    key: "work",
    isCollapsible: false,
    entries: [
      { key: "dashboard", path: "/", who: "admin" },
      { key: "tickets", path: "/tickets" },
      { key: "kanban", path: "/kanban", plan: "useKanban" },
      { key: "quickMessages", path: "/quick-messages" },
      { key: "contacts", path: "/contacts" },
      { key: "products", path: "/products" },
      { key: "schedules", path: "/schedules", plan: "useSchedules" },
      { key: "tags", path: "/tags" },
      { key: "chats", path: "/chats", plan: "useInternalChat" },
      { key: "helps", path: "/helps" },
    ],
  },
  {
    key: "campaigns",
    isCollapsible: true,
    entries: [
      { key: "campaigns", path: "/campaigns", ...campaign },
      { key: "contactLists", path: "/contact-lists", ...campaign },
      { key: "campaignsConfig", path: "/campaigns-config", ...campaign },
    ],
  },
  {
    key: "administration",
    isCollapsible: false,
    entries: [
      { key: "connections", path: "/connections", ...admin },
      { key: "simulator", path: "/simulator", ...admin, needsSimulator: true },
      { key: "queues", path: "/queues", ...admin },
      { key: "users", path: "/users", ...admin },
      { key: "prompts", path: "/prompts", ...admin, plan: "useOpenAi" },
      { key: "queueIntegration", path: "/queue-integration", ...admin, plan: "useIntegrations" },
      { key: "files", path: "/files", ...admin },
      { key: "messagesApi", path: "/messages-api", ...admin, plan: "useExternalApi" },
      { key: "financeiro", path: "/financeiro", ...admin },
      { key: "settings", path: "/settings", ...admin },
    ],
  },
  {
    key: "operator",
    isCollapsible: false,
    entries: [
      { key: "announcements", path: "/announcements", who: "super" },
      { key: "companies", path: "/companies", who: "super" },
      { key: "plans", path: "/plans", who: "super" },
    ],
  },
];

/** The menu of one user: entries that profile, plan and browser flags allow, of the screens that exist (S-02). */
export function menuFor(user: SessionUser, flags: BrowserFlags, built: ReadonlySet<string>): readonly MenuGroup[] {
  return fullMenu
    .map((group) => ({
      ...group,
      entries: group.entries.filter((entry) => built.has(entry.path) && canOpen(entry, user, flags)),
    }))
    .filter(({ entries }) => entries.length > 0);
}

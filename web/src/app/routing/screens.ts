/**
 * Which screens exist, and who may open them?
 *
 * The menu of the specification is complete in `menu.ts`; a screen joins the app by one line here, and only then does its
 * entry show. The desk is the first screen of everybody, so its chunk is fetched beside the entry.
 */
import type { PermissionRule } from "@prosa/contract/permissions";
import type { PlanFlag } from "@prosa/contract/plan-flags";
import { lazy, type ComponentType } from "react";
import { allTextsReady } from "#web/lib/text/i18n.ts";

/** Who may open a route; checked here and by the server (S-02). */
export interface RouteAccess {
  readonly who?: "admin" | "super";
  readonly rule?: PermissionRule;
  readonly plan?: PlanFlag;
  /** Only where the browser storage has the flag `cshow` (S-07). */
  readonly needsCshow?: true;
  /** Only where simulated lines may be made. */
  readonly needsSimulator?: true;
}

export interface Screen extends RouteAccess {
  /** Path of the router: `/tickets/:ticketUuid?`. */
  readonly path: string;
  readonly component: ComponentType;
}

/** A screen's file exports it by name; the chunk is fetched when it is first opened. */
export function screen<M>(
  load: () => Promise<M>,
  pick: (module: M) => ComponentType,
  texts: () => Promise<void> = allTextsReady,
): ComponentType {
  return lazy(async () => {
    const [module] = await Promise.all([load(), texts()]);
    return { default: pick(module) };
  });
}

const campaignAccess = { who: "admin", plan: "useCampaigns", needsCshow: true } as const;

export const privateScreens: readonly Screen[] = [
  {
    path: "/",
    rule: "dashboard:view",
    component: screen(
      () => import("#web/app/screens/Dashboard.tsx"),
      (module) => module.Dashboard,
    ),
  },
  {
    path: "/tickets/:ticketUuid?",
    component: screen(
      () => import("#web/app/screens/desk/Desk.tsx"),
      (module) => module.Desk,
      // Its texts are among those of the first screens.
      () => Promise.resolve(),
    ),
  },
  {
    path: "/kanban/:ticketUuid?",
    plan: "useKanban",
    component: screen(
      () => import("#web/app/screens/kanban/Kanban.tsx"),
      (module) => module.Kanban,
    ),
  },
  {
    path: "/quick-messages",
    component: screen(
      () => import("#web/app/screens/QuickMessages.tsx"),
      (module) => module.QuickMessages,
    ),
  },
  {
    path: "/contacts",
    component: screen(
      () => import("#web/app/screens/Contacts.tsx"),
      (module) => module.Contacts,
    ),
  },
  {
    path: "/products",
    component: screen(
      () => import("#web/app/screens/Products.tsx"),
      (module) => module.Products,
    ),
  },
  {
    path: "/tags",
    component: screen(
      () => import("#web/app/screens/Tags.tsx"),
      (module) => module.Tags,
    ),
  },
  {
    path: "/schedules",
    plan: "useSchedules",
    component: screen(
      () => import("#web/app/screens/Schedules.tsx"),
      (module) => module.Schedules,
    ),
  },
  {
    path: "/chats/:chatUuid?",
    plan: "useInternalChat",
    component: screen(
      () => import("#web/app/screens/Chats.tsx"),
      (module) => module.Chats,
    ),
  },
  {
    path: "/users",
    rule: "drawer-admin-items:view",
    component: screen(
      () => import("#web/app/screens/Users.tsx"),
      (module) => module.Users,
    ),
  },
  {
    path: "/todolist",
    component: screen(
      () => import("#web/app/screens/TodoList.tsx"),
      (module) => module.TodoList,
    ),
  },
  {
    path: "/connections",
    rule: "drawer-admin-items:view",
    component: screen(
      () => import("#web/app/screens/Connections.tsx"),
      (module) => module.Connections,
    ),
  },
  {
    path: "/queues",
    rule: "drawer-admin-items:view",
    component: screen(
      () => import("#web/app/screens/Queues.tsx"),
      (module) => module.Queues,
    ),
  },
  {
    path: "/prompts",
    who: "admin",
    plan: "useOpenAi",
    component: screen(
      () => import("#web/app/screens/Prompts.tsx"),
      (module) => module.Prompts,
    ),
  },
  {
    path: "/knowledge",
    who: "admin",
    plan: "useOpenAi",
    component: screen(
      () => import("#web/app/screens/Knowledge.tsx"),
      (module) => module.Knowledge,
    ),
  },
  {
    path: "/queue-integration",
    who: "admin",
    plan: "useIntegrations",
    component: screen(
      () => import("#web/app/screens/QueueIntegrations.tsx"),
      (module) => module.QueueIntegrations,
    ),
  },
  {
    path: "/files",
    who: "admin",
    component: screen(
      () => import("#web/app/screens/FileLists.tsx"),
      (module) => module.FileLists,
    ),
  },
  {
    path: "/contact-lists",
    ...campaignAccess,
    component: screen(
      () => import("#web/app/screens/ContactLists.tsx"),
      (module) => module.ContactLists,
    ),
  },
  {
    path: "/contact-lists/:contactListId/contacts",
    ...campaignAccess,
    component: screen(
      () => import("#web/app/screens/ContactListItems.tsx"),
      (module) => module.ContactListItems,
    ),
  },
  {
    path: "/campaigns",
    ...campaignAccess,
    component: screen(
      () => import("#web/app/screens/Campaigns.tsx"),
      (module) => module.Campaigns,
    ),
  },
  {
    path: "/campaign/:campaignId/report",
    ...campaignAccess,
    component: screen(
      () => import("#web/app/screens/CampaignReport.tsx"),
      (module) => module.CampaignReport,
    ),
  },
  {
    path: "/campaigns-config",
    ...campaignAccess,
    component: screen(
      () => import("#web/app/screens/CampaignsConfig.tsx"),
      (module) => module.CampaignsConfig,
    ),
  },
  {
    path: "/messages-api",
    who: "admin",
    plan: "useExternalApi",
    component: screen(
      () => import("#web/app/screens/MessagesApi.tsx"),
      (module) => module.MessagesApi,
    ),
  },
  {
    path: "/settings",
    component: screen(
      () => import("#web/app/screens/Settings.tsx"),
      (module) => module.Settings,
    ),
  },
  {
    path: "/financeiro",
    who: "admin",
    component: screen(
      () => import("#web/app/screens/Financeiro.tsx"),
      (module) => module.InvoiceList,
    ),
  },
  {
    path: "/subscription",
    who: "admin",
    component: screen(
      () => import("#web/app/screens/Financeiro.tsx"),
      (module) => module.SubscriptionPage,
    ),
  },
  {
    path: "/helps",
    component: screen(
      () => import("#web/features/helps/index.ts"),
      (module) => module.HelpVideos,
    ),
  },
  {
    path: "/announcements",
    who: "super",
    component: screen(
      () => import("#web/app/screens/Announcements.tsx"),
      (module) => module.Announcements,
    ),
  },
  {
    path: "/simulator/:connectionId?",
    rule: "connections-page:actionButtons",
    needsSimulator: true,
    component: screen(
      () => import("#web/app/screens/Simulator.tsx"),
      (module) => module.Simulator,
    ),
  },
];

/** Besides /login. */
export const publicScreens: readonly Screen[] = [
  {
    path: "/signup",
    component: screen(
      () => import("#web/app/screens/sign-up/SignUp.tsx"),
      (module) => module.SignUp,
    ),
  },
  {
    path: "/forgetpsw",
    component: screen(
      () => import("#web/app/screens/forget-password/ForgetPassword.tsx"),
      (module) => module.ForgetPassword,
    ),
  },
  {
    path: "/setup",
    component: screen(
      () => import("#web/app/screens/setup/Setup.tsx"),
      (module) => module.Setup,
    ),
  },
];

/** For everybody, signed in or not. */
export const openScreens: readonly Screen[] = [
  {
    path: "/convite/:token?",
    component: screen(
      () => import("#web/app/screens/invitation/Invitation.tsx"),
      (module) => module.Invitation,
    ),
  },
];

/** The first parts of the paths that exist: `/tickets/:ticketUuid?` → `/tickets`. */
export function builtPaths(screens: readonly Screen[]): ReadonlySet<string> {
  return new Set(screens.map(({ path }) => path.replace(/\/:.*$/, "") || "/"));
}

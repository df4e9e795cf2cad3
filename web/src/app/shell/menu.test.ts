import type { SessionUser } from "@prosa/contract/auth";
import { permissionRules, rulesFor } from "@prosa/contract/permissions";
import { planFlags, type PlanFlag } from "@prosa/contract/plan-flags";
import { expect, test } from "vitest";
import { canOpen } from "#web/app/routing/routeAccess.ts";
import { fullMenu, menuFor, type MenuKey } from "./menu.ts";
import { builtPaths, privateScreens } from "#web/app/routing/screens.ts";

const everything = new Set(fullMenu.flatMap(({ entries }) => entries.map(({ path }) => path)));
const everybody: MenuKey[] = [
  "tickets",
  "kanban",
  "quickMessages",
  "contacts",
  "products",
  "schedules",
  "tags",
  "chats",
  "helps",
];

function person(profile: SessionUser["profile"], without: PlanFlag[] = [], isSuper = false): SessionUser {
  const has = (flag: PlanFlag) => !without.includes(flag);
  return {
    id: 1,
    name: "Marina",
    email: "marina@aurora.test",
    profile,
    super: isSuper,
    allTicket: "enabled",
    whatsappId: null,
    companyId: 7,
    company: {
      id: 7,
      name: "Loja Aurora",
      email: null,
      dueDate: "2026-12-18",
      trialExpiration: null,
      timeZone: "America/Sao_Paulo",
      settings: [],
      plan: {
        id: 1,
        name: "Plano",
        users: 1,
        connections: 1,
        queues: 1,
        value: 1,
        useCampaigns: has("useCampaigns"),
        useSchedules: has("useSchedules"),
        useInternalChat: has("useInternalChat"),
        useExternalApi: has("useExternalApi"),
        useKanban: has("useKanban"),
        useOpenAi: has("useOpenAi"),
        useIntegrations: has("useIntegrations"),
      },
    },
    queues: [],
    hasSimulator: true,
    permissions: [...(isSuper ? permissionRules : rulesFor(profile))],
  };
}

function keys(user: SessionUser, cshow = true, built: ReadonlySet<string> = everything): MenuKey[] {
  return menuFor(user, { cshow }, built).flatMap(({ entries }) => entries.map(({ key }) => key));
}

const campaigns: MenuKey[] = ["campaigns", "contactLists", "campaignsConfig"];
const administration: MenuKey[] = [
  ...(["connections", "simulator", "queues", "users", "prompts", "queueIntegration"] as const),
  ...(["files", "messagesApi", "financeiro", "settings"] as const),
];
const operation: MenuKey[] = ["announcements", "companies", "plans"];

test.each<[string, SessionUser, MenuKey[]]>([
  ["an agent", person("user"), everybody],
  ["a supervisor", person("supervisor"), everybody],
  ["an admin", person("admin"), ["dashboard", ...everybody, ...campaigns, ...administration]],
  [
    "a super user of any profile",
    person("user", [], true),
    ["dashboard", ...everybody, ...campaigns, ...administration, ...operation],
  ],
  [
    "an admin whose plan has no features",
    person("admin", [...planFlags]),
    [
      ...(["dashboard", "tickets", "quickMessages", "contacts", "products", "tags", "helps"] as const),
      ...(["connections", "simulator", "queues", "users", "files", "financeiro", "settings"] as const),
    ],
  ],
])("%s sees these entries in this order, and no other (S-02)", (_who, user, entries) => {
  expect(keys(user)).toEqual(entries);
});

test.each([person("user"), person("supervisor"), person("admin"), person("user", [], true)])(
  "whoever sees an entry may open its screen: menu and router agree for $profile, super $super (S-02)",
  (user) => {
    const open = (path: string) =>
      privateScreens.find((each) => each.path.replace(/\/:.*/, "") === path || each.path === path);
    const dead = menuFor(user, { cshow: true }, builtPaths(privateScreens))
      .flatMap(({ entries }) => entries)
      .filter(({ path }) => !canOpen(open(path) ?? { who: "super" }, user, { cshow: true }));
    expect(dead).toEqual([]);
  },
);

test("settings stand in the admins' menu, and open for everybody (S-02, G-01)", () => {
  const settings = privateScreens.find(({ path }) => path === "/settings");

  expect(keys(person("user"))).not.toContain("settings");
  expect(keys(person("admin"))).toContain("settings");
  expect(settings && canOpen(settings, person("user"), { cshow: false })).toBe(true);
});

test.each<[PlanFlag, MenuKey[]]>([
  ["useKanban", ["kanban"]],
  ["useCampaigns", ["campaigns", "contactLists", "campaignsConfig"]],
  ["useOpenAi", ["prompts"]],
  ["useIntegrations", ["queueIntegration"]],
  ["useExternalApi", ["messagesApi"]],
  ["useSchedules", ["schedules"]],
  ["useInternalChat", ["chats"]],
])("a plan without %s hides %j and nothing else (S-02)", (flag, hidden) => {
  const full = keys(person("admin"));

  expect(keys(person("admin", [flag]))).toEqual(full.filter((key) => !hidden.includes(key)));
});

test("campaigns exist only where the browser has cshow (S-07)", () => {
  const seen = keys(person("admin"), false);

  expect(seen.filter((key) => ["campaigns", "contactLists", "campaignsConfig"].includes(key))).toEqual([]);
});

test("a screen that is not built has no entry, and a group without entries no title", () => {
  const groups = menuFor(person("admin"), { cshow: true }, new Set(["/tickets"]));

  expect(groups.map(({ key }) => key)).toEqual(["work"]);
});

test("a gate asks profile, rule, plan and flag together", () => {
  const gate = { rule: "dashboard:view", plan: "useCampaigns", needsCshow: true } as const;

  expect(canOpen(gate, person("supervisor"), { cshow: true })).toBe(true);
  expect(canOpen(gate, person("user"), { cshow: true })).toBe(false);
  expect(canOpen(gate, person("supervisor", ["useCampaigns"]), { cshow: true })).toBe(false);
  expect(canOpen(gate, person("supervisor"), { cshow: false })).toBe(false);
});

test("where no simulated line can be made, as in production, nobody is led to the simulator (E-03)", () => {
  const { hasSimulator: _, ...admin } = person("admin");
  expect(keys(admin)).toEqual(keys(person("admin")).filter((key) => key !== "simulator"));
});

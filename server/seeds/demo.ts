import { announcementBody, connectionBody, planFlags, queueBody, userBody } from "@prosa/contract";
import type { PlanFlag, Profile, Recurrence } from "@prosa/contract";
import { announce } from "#server/features/announcements/index.ts";
import { createCompany, deleteCompany, firstDueDate } from "#server/features/companies/index.ts";
import { setScriptedCustomers, createConnection } from "#server/features/connections/index.ts";
import { findOrCreatePlan } from "#server/features/plans/index.ts";
import { createProduct } from "#server/features/products/index.ts";
import { createQuickMessage } from "#server/features/quick-messages/index.ts";
import { createQueue } from "#server/features/queues/index.ts";
import { saveSetting } from "#server/features/settings/index.ts";
import { createPerson } from "#server/features/simulator/index.ts";
import { createTag, orderLanes } from "#server/features/tags/index.ts";
import { createUser } from "#server/features/users/index.ts";
import type { Actor, Ctx, UserActor } from "#server/platform/ctx.ts";
import type { SystemTx } from "#server/platform/db/index.ts";
import { cancelJobsWithAffinity } from "#server/platform/jobs/index.ts";
import type { Services } from "#server/platform/services.ts";
import { seedCampaigns } from "./demo/campaigns.ts";
import { conversations } from "./demo/conversations.ts";
import { fileKeysOf, lineIdsOf } from "./demo/demo.queries.ts";
import { seedInvoices, seedOverdueInvoice } from "./demo/invoices.ts";
import { seedInternalChats } from "./demo/internal-chats.ts";
import { seedQueueMenus } from "./demo/queue-menus.ts";
import { createConversationSeeder } from "./demo/seed-conversation.ts";
import type { DemoRecords } from "./demo/seed-conversation.ts";

export const demoPassword = "prosa123";
export const demoOperator = "operador@prosa.demo";
export const demoCompany = "Loja Aurora";
export const demoOperatorCompany = "Prosa";
const domain = "prosa.demo";

interface Person {
  readonly key: string;
  readonly name: string;
  readonly profile: Profile;
  readonly queues: readonly ("Vendas" | "Suporte")[];
}

const people: readonly Person[] = [
  { key: "supervisor", name: "Sônia Duarte", profile: "supervisor", queues: ["Vendas", "Suporte"] },
  { key: "agente1", name: "Paula Ribeiro", profile: "user", queues: ["Vendas", "Suporte"] },
  { key: "agente2", name: "Danilo Matos", profile: "user", queues: ["Suporte"] },
];

/** Announcements of the operator to all companies, the newest last. */
const announcements = [
  {
    title: "Boas-vindas ao Prosa",
    text: "Quer ver uma conversa chegar? Abra o *Simulador* no menu, escreva como cliente e responda no atendimento.\n\nTecle ? em qualquer tela para ver os atalhos.",
    priority: 3,
  },
  {
    title: "Manutenção no próximo domingo",
    text: "No domingo, das 2h às 4h (horário de Brasília), o sistema fica fora do ar por alguns minutos.\n\nNenhuma mensagem se perde: as que chegarem nesse período aparecem assim que voltar.",
    priority: 2,
  },
];

export interface DemoCompany {
  readonly companyId: number;
  readonly connectionId: number;
}

/**
 * Seeds an empty database with a shop in the middle of its day, through the services. The operator is created last: without
 * one, the seeding did not finish. `onConversation` is called before each conversation.
 */
export async function seedDemo(services: Services, onConversation: () => Promise<void>): Promise<DemoCompany> {
  const { db, log, clock } = services;
  const shop = { name: "Aurora Prado", email: `admin@${domain}`, isSuper: false };
  const { companyId, adminId } = await db.systemTx((tx) => makeCompany(tx, services, demoCompany, shop));
  const system: Actor = { kind: "system", companyId, reason: "demo" };
  const inCompany = <T>(work: (ctx: Ctx) => Promise<T>) => db.inCompany({ actor: system, companyId, log, clock }, work);
  const records = await inCompany((ctx) => createDemoRecords(ctx, services, adminId));
  await seedQueueMenus(services, companyId, records.queueIds, inCompany);

  const seedConversation = createConversationSeeder(services, records);
  const now = clock.now();
  for (const conversation of conversations) {
    await onConversation();
    await seedConversation(conversation, now);
  }
  await seedInternalChats(services, records, now);
  await inCompany((ctx) => seedCampaigns(ctx, records.connectionId));
  await seedInvoices(services, companyId, adminId, firstDueDate(now, "ANUAL"), now);
  const operator = { name: "Operador", email: demoOperator, isSuper: true };
  const debtor = { name: "Célia Ramos", email: `padaria@${domain}`, isSuper: false };
  await db.systemTx(async (tx) => {
    const { companyId: debtorId } = await makeCompany(tx, services, "Padaria Girassol", debtor, "MENSAL");
    await seedOverdueInvoice(tx, debtorId, now);
    await makeCompany(tx, services, demoOperatorCompany, operator);
  });
  for (const announcement of announcements) {
    await db.systemTx((tx) => announce(tx, announcementBody.parse(announcement)));
  }
  return { companyId, connectionId: records.connectionId };
}

/** Deletes the data of a demo whose seeding did not finish. */
export async function clearDemo({ db, log, clock, storage }: Services, companyId: number): Promise<void> {
  const actor: Actor = { kind: "system", companyId, reason: "demo" };
  const files = await db.inCompany({ actor, companyId, log, clock }, async (ctx) => {
    for (const lineId of await lineIdsOf(ctx)) {
      await cancelJobsWithAffinity(ctx, `line:${lineId}`);
    }
    return fileKeysOf(ctx);
  });
  await Promise.all(files.map((key) => storage.delete(key)));
  await db.systemTx((tx) => deleteCompany(tx, companyId));
}

async function makeCompany(
  tx: SystemTx,
  { clock }: Services,
  name: string,
  admin: { readonly name: string; readonly email: string; readonly isSuper: boolean },
  recurrence: Recurrence = "ANUAL",
): Promise<{ companyId: number; adminId: number }> {
  const everything = Object.fromEntries(planFlags.map((flag) => [flag, true])) as Record<PlanFlag, boolean>;
  const limits = { users: 100, connections: 20, queues: 20, value: 199.9, ...everything };
  const plan = await findOrCreatePlan(tx, { name: "Completo", isPublic: true, ...limits });
  const { email } = admin;
  return createCompany(tx, {
    name,
    email,
    planId: plan.id,
    dueDate: firstDueDate(clock.now(), recurrence),
    recurrence,
    admin: { ...admin, password: demoPassword },
  });
}

/** Creates queues, users, tags, products, quick messages, the connection and the customers' phones. */
async function createDemoRecords(ctx: Ctx, { config }: Services, adminId: number): Promise<DemoRecords> {
  const queue = (name: string, color: string, orderQueue: number, greetingMessage: string) =>
    createQueue(ctx, queueBody.parse({ name, color, orderQueue, greetingMessage }));
  const sales = await queue("Vendas", "#1f7ae0", 1, "Você está falando com Vendas. Em que posso ajudar?");
  const support = await queue("Suporte", "#c2410c", 2, "Você está no Suporte. Conte o que houve.");
  const queueIds = { Vendas: sales.id, Suporte: support.id };

  const agents: Record<string, UserActor> = {};
  for (const { key, name, profile, queues } of people) {
    const own = queues.map((each) => queueIds[each]);
    const body = {
      name,
      email: `${key}@${domain}`,
      password: demoPassword,
      profile,
      queueIds: own,
      allTicket: "enabled",
    };
    const { id } = await createUser(ctx, userBody.parse(body));
    agents[key] = actorOf(ctx, id, name, profile, own);
  }

  await createTag(ctx, { name: "Cliente VIP", color: "#a855f7", kanban: 0 });
  await createTag(ctx, { name: "Atacado", color: "#0ea5e9", kanban: 0 });
  await createLanes(ctx);
  for (const [name, type, price] of [
    ["Camiseta Aurora", "Produto", 89.9],
    ["Sofá 3 lugares", "Produto", 2490],
    // of the customer's choice
    ["Vale-presente", "Produto", null],
    ["Montagem em domicílio", "Serviço", 180],
  ] as const) {
    await createProduct(ctx, { name, type, price });
  }
  for (const [shortcode, message] of [
    ["oi", "Olá! Tudo bem? Sou da Loja Aurora, como posso ajudar?"],
    ["pix", "Nossa chave Pix é o CNPJ 12.345.678/0001-90."],
    ["horario", "Atendemos de segunda a sexta das 8h às 18h, e sábado até 12h."],
    ["obrigado", "Obrigado pelo contato! Qualquer coisa é só chamar. 💙"],
  ] as const) {
    await createQuickMessage(ctx, { shortcode, message, geral: true, status: true });
  }
  // "disabled": the demo has a group conversation.
  await saveSetting(ctx, "CheckMsgIsGroup", "disabled");

  const line = connectionBody.parse({
    name: "WhatsApp 1",
    provider: "simulator",
    greetingMessage: "Olá! Bem-vindo à Loja Aurora. Com quem você quer falar?",
    queueIds: [sales.id, support.id],
  });
  const { id: connectionId } = await createConnection(ctx, line);
  await setScriptedCustomers(ctx, connectionId, config.demo.people);
  for (const { name, number } of conversations.filter(({ isGroup }) => !isGroup)) {
    await createPerson(ctx, connectionId, { name, number });
  }

  const admin = actorOf(ctx, adminId, "Aurora Prado", "admin", []);
  return { companyId: ctx.companyId, connectionId, admin, agents, queueIds };
}

/** Lanes of the kanban, in the order of a sale. */
async function createLanes(ctx: Ctx): Promise<void> {
  const laneIds = [];
  for (const [name, color] of [
    ["Orçamento", "#0284c7"],
    ["Negociação", "#f59e0b"],
    ["Aguardando pagamento", "#e11d48"],
    ["Pós-venda", "#10b981"],
  ] as const) {
    laneIds.push((await createTag(ctx, { name, color, kanban: 1 })).id);
  }
  await orderLanes(ctx, laneIds);
}

function actorOf(ctx: Ctx, userId: number, name: string, profile: Profile, queueIds: readonly number[]): UserActor {
  const { companyId } = ctx;
  return {
    kind: "user",
    userId,
    companyId,
    name,
    profile,
    isSuper: false,
    allTicket: true,
    queueIds,
    sessionId: "demo",
  };
}

/** The sign-ins that are printed at start. */
export const demoSignIns: readonly { readonly who: string; readonly email: string; readonly password: string }[] = [
  { who: "operator", email: demoOperator, password: demoPassword },
  { who: "admin", email: `admin@${domain}`, password: demoPassword },
  ...people.map(({ key, profile }) => ({
    who: profile === "user" ? "agent" : profile,
    email: `${key}@${domain}`,
    password: demoPassword,
  })),
];

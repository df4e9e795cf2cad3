import { createChat, readChat, sendChatMessage } from "#server/features/chats/index.ts";
import { createMovedClock } from "#server/platform/clock/index.ts";
import type { UserActor } from "#server/platform/ctx.ts";
import type { Services } from "#server/platform/services.ts";
import type { DemoRecords } from "./seed-conversation.ts";

interface DemoChat {
  readonly title: string;
  readonly minutesAgo: number;
  /** Keys of the users; the first one creates the chat and owns it. */
  readonly people: readonly string[];
  /** Sender and text, two minutes apart. */
  readonly messages: readonly (readonly [string, string])[];
  /** Keys of the users who have read all, besides the last sender. */
  readonly readers: readonly string[];
}

const demoChats: readonly DemoChat[] = [
  {
    title: "Escala de sábado",
    minutesAgo: 190,
    people: ["supervisor", "agente1", "agente2"],
    messages: [
      ["supervisor", "Bom dia! Quem pode abrir a loja no sábado?"],
      ["agente2", "Eu abro, mas preciso sair às 11h."],
      ["agente1", "Então fico das 11h até fechar."],
      ["supervisor", "Fechado. *Danilo* abre, *Paula* fecha. Obrigada!"],
    ],
    readers: ["agente1", "agente2"],
  },
  {
    title: "Trocas e devoluções",
    minutesAgo: 25,
    people: ["admin", "supervisor", "agente1", "agente2"],
    messages: [
      ["agente1", "Cliente quer trocar um sofá depois de 10 dias. Pode?"],
      ["supervisor", "Pode sim: até 15 dias, com a nota."],
      ["admin", "E o frete da troca fica por nossa conta até o fim do mês."],
    ],
    readers: ["supervisor"],
  },
];

/** Seeds the internal chats of the shop's users, each message at its time. */
export async function seedInternalChats({ db, log }: Services, records: DemoRecords, now: Date): Promise<void> {
  const { companyId, admin, agents } = records;
  for (const { title, minutesAgo, people, messages, readers } of demoChats) {
    const clock = createMovedClock(now);
    clock.advance({ minutes: -minutesAgo });
    const as = (key: string): UserActor => agents[key] ?? admin;
    const within = <T>(key: string, work: Parameters<typeof db.inCompany<T>>[1]) =>
      db.inCompany({ actor: as(key), companyId, log, clock }, work);

    const [owner = "admin", ...others] = people;
    const users = others.map((key) => ({ id: as(key).userId }));
    const { id } = await within(owner, (ctx) => createChat(ctx, { title, users }));
    for (const [who, message] of messages) {
      clock.advance({ minutes: 2 });
      await within(who, async (ctx) => {
        await readChat(ctx, id);
        await sendChatMessage(ctx, id, { message });
      });
    }
    for (const reader of readers) {
      await within(reader, (ctx) => readChat(ctx, id));
    }
  }
}

import { randomUUID } from "node:crypto";
import { queueOptionBody } from "@prosa/contract";
import { saveOptionFile, createOption } from "#server/features/queues/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { Services } from "#server/platform/services.ts";
import { storageKey } from "#server/platform/storage/index.ts";
import { pdf } from "./files.ts";
import type { DemoFile } from "./files.ts";
import type { QueueName } from "./steps.ts";

interface Choice {
  readonly title: string;
  readonly message: string;
  readonly file?: () => DemoFile;
  readonly below?: readonly Choice[];
}

const catalogue = () =>
  pdf("Catalogo Aurora.pdf", ["Loja Aurora", "Camiseta Aurora   R$ 79,90", "Sofa 3 lugares   R$ 2.490,00"]);

/** The bot's menu of each queue. */
const menus: Readonly<Record<QueueName, readonly Choice[]>> = {
  Vendas: [
    {
      title: "Preços e pagamento",
      message: "Sobre o que você quer saber?",
      below: [
        { title: "Catálogo", message: "Aqui está o nosso catálogo. Um vendedor já fala com você.", file: catalogue },
        { title: "Pix", message: "No Pix tem 5% de desconto. Um vendedor já passa a chave para você." },
        { title: "Cartão", message: "Parcelamos em até 10 vezes sem juros. Um vendedor já fala com você." },
      ],
    },
    { title: "Prazo de entrega", message: "Na capital, até 2 dias úteis. Me diga o seu CEP que um vendedor confirma." },
    { title: "Falar com um vendedor", message: "Certo! Um vendedor já fala com você." },
  ],
  Suporte: [
    { title: "Trocas", message: "A troca é gratuita em até 30 dias. Conte qual é o produto e o que houve." },
    { title: "Nota fiscal", message: "Me diga o número do pedido, por favor." },
  ],
};

/** Creates the option trees of the queues, with the files that they send. */
export async function seedQueueMenus(
  { storage }: Services,
  companyId: number,
  queueIds: Readonly<Record<QueueName, number>>,
  inCompany: <T>(work: (ctx: Ctx) => Promise<T>) => Promise<T>,
): Promise<void> {
  async function write(queueId: number, choices: readonly Choice[], parentId: number | null): Promise<void> {
    for (const { title, message, file, below = [] } of choices) {
      const body = queueOptionBody.parse({ queueId, parentId, title, message });
      const { id } = (await inCompany((ctx) => createOption(ctx, body))).row;
      if (file) {
        const { name, bytes, mimeType } = file();
        const key = storageKey(companyId, "queue-options", randomUUID());
        const { size } = await storage.put(key, bytes, { contentType: mimeType });
        const fields = { media_path: key, media_name: name, media_type: mimeType, media_size: size };
        await inCompany((ctx) => saveOptionFile(ctx, id, fields));
      }
      await write(queueId, below, id);
    }
  }
  await write(queueIds.Vendas, menus.Vendas, null);
  await write(queueIds.Suporte, menus.Suporte, null);
}

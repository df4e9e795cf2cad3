import { z } from "zod";
import { color } from "./common.ts";

export const tag = z.object({ id: z.number().int(), name: z.string(), color: z.string(), kanban: z.number().int() });
export type Tag = z.output<typeof tag>;

export const tagBody = z.object({
  name: z.string().trim().min(3, "Mensagem muito curta").max(50),
  color: color.default("#A4CCCC"),
  kanban: z.union([z.literal(0), z.literal(1)]).default(0),
});

export const product = z.object({ id: z.number().int(), name: z.string(), type: z.string() });
export type Product = z.output<typeof product>;

import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/** Version shown in the menu (S-05). */
export const version = {
  get: endpoint({
    method: "GET",
    path: "/version",
    summary: "The server's version",
    access: { who: "public" },
    response: z.object({ version: z.string() }),
  }),
} as const;

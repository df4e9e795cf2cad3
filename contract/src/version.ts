import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/** S-05: the menu shows it beside a fixed label. */
export const version = {
  get: endpoint({
    method: "GET",
    path: "/version",
    summary: "The server's version",
    access: { who: "public" },
    response: z.object({ version: z.string() }),
  }),
} as const;

import { z } from "zod";
import { endpoint } from "./endpoint.ts";

/** Whether there is free space for rows and for files. */
export const storageRoom = z.object({ database: z.boolean(), files: z.boolean() });
export type StorageRoom = z.output<typeof storageRoom>;

export const storage = {
  room: endpoint({
    method: "GET",
    path: "/storage/room",
    summary: "Whether database and files have room, as the process that answers sees it",
    access: { who: "super" },
    response: storageRoom,
  }),
} as const;

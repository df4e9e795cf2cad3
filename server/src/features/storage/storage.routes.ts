import { storage } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";

export function storageRoutes(api: Api): void {
  const { freeSpace } = api.services;
  serve(api, storage.room, () => freeSpace.check(), { transaction: "none" });
}

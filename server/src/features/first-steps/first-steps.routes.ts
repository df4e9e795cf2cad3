import { firstStepsCalls } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { getFirstSteps, hideFirstSteps } from "./first-steps.service.ts";

export function firstStepsRoutes(api: Api): void {
  const { simulator } = api.services.config.whatsapp;
  serve(api, firstStepsCalls.get, (ctx) => getFirstSteps(ctx, simulator));
  serve(api, firstStepsCalls.hide, (ctx, { body }) => hideFirstSteps(ctx, simulator, body.isHidden));
}

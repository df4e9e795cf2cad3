import type { Feature } from "#server/platform/feature.ts";
import { agentAssistRoutes } from "./agent-assist.routes.ts";

/** Drafts of a language model for the agent at the desk. */
export const feature: Feature = { name: "agent-assist", routes: agentAssistRoutes };

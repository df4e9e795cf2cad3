import { dashboard } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { readFigures, readTicketsDay, readTicketsUsers } from "./dashboard.service.ts";

export function dashboardRoutes(api: Api): void {
  serve(api, dashboard.figures, (ctx, { query }) => readFigures(ctx, query));
  serve(api, dashboard.ticketsUsers, (ctx, { query }) => readTicketsUsers(ctx, query));
  serve(api, dashboard.ticketsDay, (ctx, { query }) => readTicketsDay(ctx, query));
}

import { every, flag, jsonText, maybe, number, refusal, some, text } from "../format/kinds.ts";
import type { SpecifiedRequest } from "../format/table.ts";

const counters = jsonText({
  supportHappening: number,
  supportPending: number,
  supportFinished: number,
  avgSupportTime: number,
  avgWaitTime: number,
});
const attendants = every({ name: text, rating: maybe(number), avgSupportTime: maybe(number), online: flag });

/** Specification 1, sections 2 and 7; behaviour 1. */
export const dashboard: readonly SpecifiedRequest[] = [
  {
    request: "GET /dashboard?days=7&date_from=&date_to=&products=",
    proves: "by period: counters as JSON text, attendants as a list (D-01, D-02, D-03, E-03)",
    holds: { counters, attendants },
  },
  {
    request: "GET /dashboard?days=&date_from=2026-01-01&date_to={today}&products=[]",
    proves: "by date (D-01, E-03)",
    holds: { counters, attendants: some({ name: "Ana Lima" }) },
  },
  {
    request: "GET /dashboard?days=0&date_from=2026-01-01&date_to={today}",
    proves: "no period and two dates are the dates (D-01, E-03)",
    holds: { counters, attendants },
  },
  {
    request: "GET /dashboard?date_from={today}",
    proves: "from a day on (D-01)",
    holds: { counters, attendants },
  },
  {
    request: "GET /dashboard?days=30&products=[{cake}]",
    proves: "by product (D-04)",
    holds: { counters, attendants },
  },
  {
    request: "GET /dashboard/ticketsUsers?initialDate=2026-01-01&finalDate={today}&companyId={company}",
    proves: "rows for the chart per user (D-04)",
    holds: { data: every({ nome: text, quantidade: number }) },
  },
  {
    request: "GET /dashboard/ticketsDay?initialDate=2026-01-01&finalDate={today}&companyId={company}",
    proves: "rows for the chart per day (D-04)",
    holds: { count: number, data: every({ data: text, total: number }) },
  },
  {
    request: "GET /dashboard/ticketsDay?initialDate={today}&finalDate={today}&companyId={company}",
    proves: "rows per hour where both dates are one day (D-04)",
    holds: { count: number, data: every({ horario: maybe(text), total: number }) },
  },
  {
    request: "GET /dashboard?days=7",
    proves: "an agent may not (D-01)",
    as: "agent",
    status: 403,
    holds: refusal("ERR_NO_PERMISSION"),
  },
];

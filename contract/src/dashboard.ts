import { z } from "zod";
import { day, dayOrNone, jsonArray, id } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** Options of the period filter, in days; 0 is "none" (specification 1 section 2). */
export const dashboardPeriods = [0, 3, 7, 15, 30, 60, 90] as const;

export const dashboardCounters = z.object({
  /** Current counts. */
  supportHappening: z.number().int(),
  supportPending: z.number().int(),
  /** Episodes finished in the range (behaviour 4). */
  supportFinished: z.number().int(),
  /** Whole minutes from start to end. */
  avgSupportTime: z.number().int(),
  /** Whole minutes from queued to started. */
  avgWaitTime: z.number().int(),
});

export type DashboardCounters = z.output<typeof dashboardCounters>;

/** Change against the period before, in whole percent; null where one of the two has nothing to compare. */
const change = z.number().int().nullable();

export const dashboardComparison = z.object({
  /** The days compared with. */
  from: day,
  to: day,
  /** The time until which the last day counts (`10:56:12`), where the range is not over; null: the whole day. */
  untilTime: z.iso.time().nullable(),
  /** "month": the same days of the month before; "days": as many days right before (decision 0175). */
  unit: z.enum(["days", "month"]),
  supportFinished: change,
  avgSupportTime: change,
  avgWaitTime: change,
});

export type DashboardComparison = z.output<typeof dashboardComparison>;

export const dashboardAttendant = z.object({
  id: z.number().int(),
  name: z.string(),
  /** Mean of the ratings 1 to 3, one decimal; null without any. */
  rating: z.number().nullable(),
  avgSupportTime: z.number().int(),
  tickets: z.number().int(),
  online: z.boolean(),
});

/** Maximum range of ten years. */
const longestRangeDays = 3660;
const range = z
  .object({ initialDate: day, finalDate: day, companyId: z.string().optional(), products: jsonArray(id) })
  .refine(
    ({ initialDate, finalDate }) => {
      const days = (Date.parse(finalDate) - Date.parse(initialDate)) / 86_400_000;
      return days >= 0 && days <= longestRangeDays;
    },
    { path: ["finalDate"], message: "The range ends before it begins, or is too long" },
  );

export const dashboard = {
  figures: endpoint({
    method: "GET",
    path: "/dashboard",
    summary:
      "Counters (as JSON text, specification 1 section 7), attendants, and comparison with the period before, of a range of days",
    access: { who: "session", rule: "dashboard:view" },
    query: z
      .object({
        days: z.coerce.number().int().min(0).max(366).default(0),
        date_from: dayOrNone,
        date_to: dayOrNone,
        products: jsonArray(id),
      })
      .refine((query) => query.days > 0 || query.date_from !== "" || query.date_to !== "", "Parametrize o filtro"),
    response: z.object({
      counters: z.string().describe(`JSON text of an object: ${Object.keys(dashboardCounters.shape).join(", ")}`),
      attendants: z.array(dashboardAttendant),
      comparison: dashboardComparison
        .nullable()
        .describe("How far the counters are from those of the period before; null where there is none"),
    }),
  }),
  ticketsUsers: endpoint({
    method: "GET",
    path: "/dashboard/ticketsUsers",
    summary: "Episodes finished per attendant",
    access: { who: "session", rule: "dashboard:view" },
    query: range,
    response: z.object({ data: z.array(z.object({ nome: z.string(), quantidade: z.number().int() })) }),
  }),
  ticketsDay: endpoint({
    method: "GET",
    path: "/dashboard/ticketsDay",
    summary: "Episodes begun per day, or per hour where both dates are one day",
    access: { who: "session", rule: "dashboard:view" },
    query: range,
    response: z.object({
      count: z.number().int(),
      data: z.array(
        z.object({
          /** dd/mm/yyyy */
          data: z.string().optional(),
          /** HH:00 */
          horario: z.string().optional(),
          total: z.number().int(),
        }),
      ),
    }),
  }),
} as const;

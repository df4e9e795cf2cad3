import type { Generated } from "kysely";

export interface SimPeopleTable {
  /** Digits; unique across companies, because all share one network. */
  number: string;
  company_id: number;
  connection_id: number;
  name: string;
  created_at: Generated<Date>;
}

export interface SimDaysTable {
  connection_id: number;
  company_id: number;
  day: string;
  /** Messages that scripted customers wrote on that day. */
  said: number;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    sim_people: SimPeopleTable;
    sim_days: SimDaysTable;
  }
}

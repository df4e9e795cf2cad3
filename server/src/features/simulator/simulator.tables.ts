import type { Generated } from "kysely";

export interface SimPeopleTable {
  /** Digits; unique over all companies, who share one network. */
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
  /** Messages that people wrote by themselves on that day. */
  said: number;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    sim_people: SimPeopleTable;
    sim_days: SimDaysTable;
  }
}

import type { Statement } from "#server/platform/db/index.ts";

/** A connection with a time limit for its tickets. Times in minutes, 0 for none. */
export interface TimedConnection {
  readonly companyId: number;
  readonly connectionId: number;
  readonly timeToTransfer: number;
  readonly transferQueueId: number | null;
  readonly expiresTicket: number;
}

/** The connections of all active companies; runs in a system transaction. */
export const TIMED_CONNECTIONS: Statement<TimedConnection> = {
  name: "bot_timed_connections",
  text: `select l.company_id as "companyId", l.id as "connectionId", time_to_transfer as "timeToTransfer",
      transfer_queue_id as "transferQueueId", expires_ticket as "expiresTicket"
    from connections l join companies c on c.id = l.company_id and c.is_active
    where expires_ticket > 0 or (time_to_transfer > 0 and transfer_queue_id is not null)
    order by l.id`,
};

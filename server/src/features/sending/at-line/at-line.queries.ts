import { limitTimesSql } from "#server/features/connections/index.ts";
import { isOptedOutSql } from "../opt-outs/index.ts";
import { bulkSql, lastInboundSql, wroteSql } from "../starts.ts";

/**
 * SQL: the columns of `AtLineFacts` of a queued message `m`, for the statement that reads the message anyway. With `atLineJoins`;
 * the parameters are the times of `repliesSince` and `startedSince`.
 */
export const atLineColumns = (startedSince: string) => `gate.starts as "startsConversation",
      case when gate.starts and not gate.is_bulk and not gate.is_api
        then not ${wroteSql("m.ticket_id", startedSince, true)} else false end as "countsAsStart",
      case when gate.is_bulk then ${isOptedOutSql("c")} else false end as "isOptedOut",
      (gate.is_bulk or gate.is_api) and (gate.starts or coalesce(m.data ? 'campaign', false)) and m.client_id not like '%:%' as "takesTurn",${limitTimesSql("l")}`;

/** SQL: the joins of `atLineColumns`. */
export const atLineJoins = (repliesSince: string) => `join contacts c on c.id = m.contact_id
    left join line_limits l on l.connection_id = m.connection_id
    cross join lateral (
      select not c.is_group and ${lastInboundSql("m.ticket_id", repliesSince)} is null as starts, ${bulkSql("m")} as is_bulk,
        m.client_id like 'api-%' as is_api) gate`;

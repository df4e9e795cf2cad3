import { schedulesRealtime } from "#web/features/schedules/index.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";

registerRealtime(schedulesRealtime);

export { ScheduleDialog } from "#web/features/schedules/index.ts";

import { serverNow } from "#web/lib/session/clock.ts";
import { useUser } from "#web/lib/session/session.ts";

/** Today in the time zone of the operator's company: `2026-11-22`. */
export function useToday(): string {
  const { timeZone } = useUser().company;
  return new Intl.DateTimeFormat("en-CA", { timeZone }).format(serverNow());
}

import { serverNow } from "#web/lib/clock.ts";
import { useUser } from "#web/lib/session.ts";

/** `2026-11-22`, where the operator is. */
export function useToday(): string {
  const { timeZone } = useUser().company;
  return new Intl.DateTimeFormat("en-CA", { timeZone }).format(serverNow());
}

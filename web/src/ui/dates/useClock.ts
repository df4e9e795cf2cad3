import { serverNow } from "#web/lib/session/clock.ts";
import { useUser } from "#web/lib/session/session.ts";
import { wallClockOf } from "@prosa/contract/zoned-time";
import type { Clock } from "./parse.ts";

/** Now where the company is: its time zone, by the server's clock. */
export function useClock(): Clock & { readonly today: string } {
  const { timeZone } = useUser().company;
  const now = new Date(serverNow());
  return { now, timeZone, today: wallClockOf(now, timeZone).slice(0, 10) };
}

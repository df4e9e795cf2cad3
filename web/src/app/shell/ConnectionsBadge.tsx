import { useEffect, useState } from "react";
import {
  connectionStatesRealtime,
  hasFallen,
  isTroubled,
  useConnectionStates,
} from "#web/features/connections/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { Badge } from "#web/ui/Chip.tsx";
import { LiveChip } from "#web/ui/LiveChip.tsx";
import { appMessages } from "#web/app/app.i18n.ts";

const EVALUATED_AFTER_MS = 2_000;

registerRealtime(connectionStatesRealtime);

/** "!" when a connection needs attention (S-03): from 2 s after load, so that starting lines do not alarm, then live. */
export function ConnectionsBadge() {
  const t = useMessages(appMessages);
  const states = useEvaluatedStates();

  return states.some(isTroubled) ? (
    <span title={t("needsAttention")}>
      <Badge value="!" tone="danger" />
    </span>
  ) : null;
}

/**
 * The live chip, which also says that a line has fallen: what is written there waits. A closed company has no socket: its admin is
 * told to pay, not that there is no connection.
 */
export function LiveChipWithLines() {
  return useUser().company.isClosed ? null : <OpenChip />;
}

function OpenChip() {
  const names = useEvaluatedStates()
    .filter(hasFallen)
    .map(({ name }) => name);
  return <LiveChip downLines={names} />;
}

function useEvaluatedStates() {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTime(true), EVALUATED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const states = useConnectionStates();
  return isTime ? (states ?? []) : [];
}

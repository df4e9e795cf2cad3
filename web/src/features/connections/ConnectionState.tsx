import { styled } from "#web/ui/styled.ts";
import type { Connection } from "@prosa/contract/connections";
import { CircleCheck, CircleDashed, CircleX, Loader, QrCode, TriangleAlert } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { color } from "#web/ui/theme.ts";
import { connectionMessages } from "./connections.i18n.ts";
import { reasonKey } from "./link-trouble.ts";

const looks = {
  CONNECTED: { Icon: CircleCheck, tone: "good" },
  qrcode: { Icon: QrCode, tone: "warn" },
  PAIRING: { Icon: CircleDashed, tone: "warn" },
  OPENING: { Icon: Loader, tone: "plain" },
  TIMEOUT: { Icon: TriangleAlert, tone: "warn" },
  DISCONNECTED: { Icon: CircleX, tone: "bad" },
} as const;

/** The status of a connection as icon and text, with the reason if there is one. */
export function ConnectionState({
  connection,
}: {
  readonly connection: Pick<Connection, "status" | "reason" | "number" | "numberHolder">;
}) {
  const t = useMessages(connectionMessages);
  const { Icon, tone } = looks[connection.status];
  const { status, numberHolder } = connection;
  const reason =
    connection.reason && status !== "CONNECTED"
      ? t(reasonKey(connection.reason, connection), { line: numberHolder ?? "" })
      : undefined;
  return (
    <State data-tone={tone} data-status={connection.status} title={reason}>
      <Icon aria-hidden data-spins={connection.status === "OPENING" || undefined} />
      <span>
        {t(`status_${connection.status}`)}
        {reason && <small>{reason}</small>}
      </span>
    </State>
  );
}

const State = styled("span")({
  display: "inline-flex",
  alignItems: "center",
  verticalAlign: "middle",
  maxWidth: "100%",
  gap: 8,
  minWidth: 0,
  "& svg": { flex: "none", width: 17, height: 17 },
  // wrap the reason instead of cutting it: administrators look for it
  "& > span": { minWidth: 0, display: "flex", flexDirection: "column", whiteSpace: "normal" },
  "& small": { fontSize: 12, color: color.ink2 },
  "&[data-tone='good'] svg": { color: color.accent },
  "&[data-tone='warn'] svg": { color: color.warning },
  "&[data-tone='bad'] svg": { color: color.danger },
  "& svg[data-spins]": { animation: "prosa-spin 1.2s linear infinite" },
});

import { styled } from "#web/ui/styled.ts";
import type { Connection } from "@prosa/contract/connections";
import { useEffect, useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { color } from "#web/ui/theme.ts";
import { LinkByNumber } from "./LinkByNumber.tsx";
import { OtherNumber } from "./OtherNumber.tsx";
import { LinkByQr } from "./LinkByQr.tsx";
import { useSessionAction } from "./connections.api.ts";
import { connectionMessages } from "./connections.i18n.ts";

/**
 * Links a line by its QR, updated live, or by a pairing code. Closes once the line is connected (W-03). An empty QR does not
 * mean connected: the next QR, or a pairing code, may not have arrived yet.
 */
export function QrDialog(props: {
  readonly connection: Connection;
  readonly onClose: () => void;
  /** For a simulator line: its simulated phone scans the QR, or enters the code. */
  readonly onScan?: (() => Promise<unknown>) | undefined;
}) {
  const { connection, onClose, onScan } = props;
  const t = useMessages(connectionMessages);
  const session = useSessionAction();
  const [isByNumber, setByNumber] = useState(connection.pairingCode !== "");
  /** A code was shown in this dialog: a line that is opening afterwards has used it. */
  const [hadCode, setHadCode] = useState(false);
  const hasCode = connection.qrcode !== "" || connection.pairingCode !== "";
  if (hasCode && !hadCode) {
    setHadCode(true);
  }
  const isLinked = connection.status === "CONNECTED";
  useEffect(() => {
    if (isLinked) {
      onClose();
    }
  }, [isLinked, onClose]);

  const renew = (number?: string) => {
    setHadCode(false);
    session.mutate(
      { id: connection.id, verb: "renew", ...(number !== undefined && { number }) },
      { onError: (error) => toast.failure(error) },
    );
  };
  const link = {
    connection,
    isLinking: hadCode && !hasCode && connection.status === "OPENING",
    isBusy: session.isPending,
    onRenew: renew,
    onScan,
  };

  if (connection.pendingNumber !== null) {
    return (
      <InfoDialog title={t("otherNumberTitle", { name: connection.name })} width="xs" onClose={onClose}>
        <Body>
          <OtherNumber
            connection={connection}
            number={connection.pendingNumber}
            onAccepted={() => setHadCode(true)}
            onRefused={onClose}
          />
        </Body>
      </InfoDialog>
    );
  }
  return (
    <InfoDialog title={t("qrTitle", { name: connection.name })} width="xs" onClose={onClose}>
      <Body>
        {isByNumber ? <LinkByNumber {...link} /> : <LinkByQr {...link} />}
        <Button
          kind="quiet"
          onClick={() => {
            // A line has a QR or a pairing code, not both: going back to the QR drops the code.
            if (isByNumber && connection.qrcode === "") {
              renew();
            }
            setByNumber(!isByNumber);
          }}
        >
          {t(isByNumber ? "byQr" : "byNumber")}
        </Button>
      </Body>
    </InfoDialog>
  );
}

const Body = styled("div")({
  display: "flex",
  flexDirection: "column",
  alignItems: "center",
  gap: 12,
  textAlign: "center",
  "& p": { color: color.ink2 },
  "& small": { fontSize: 12, color: color.ink2 },
});

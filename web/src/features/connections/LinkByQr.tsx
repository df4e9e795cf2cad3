import { styled } from "#web/ui/styled.ts";
import type { Connection } from "@prosa/contract/connections";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button, Spinner } from "#web/ui/Button.tsx";
import { QrImage } from "#web/ui/QrImage.tsx";
import { color, size } from "#web/ui/theme.ts";
import { SimulatorCodeButton } from "./SimulatorCodeButton.tsx";
import { connectionMessages } from "./connections.i18n.ts";
import { linkTrouble, linkingText } from "./link-trouble.ts";

/** Props of both ways to link a line: by QR and by pairing code. */
export interface LinkingProps {
  readonly connection: Connection;
  /** A code was shown and the line is connecting: the phone accepted it, or the network was cut. */
  readonly isLinking: boolean;
  /** The request for a new code is in flight. */
  readonly isBusy: boolean;
  /** Requests a new QR or, with a number, a pairing code. */
  readonly onRenew: (number?: string) => void;
  readonly onScan: (() => Promise<unknown>) | undefined;
}

export function LinkByQr({ connection, isLinking, isBusy, onRenew, onScan }: LinkingProps) {
  const t = useMessages(connectionMessages);
  const trouble = linkTrouble(connection);
  const named = { line: connection.numberHolder ?? "" };

  return (
    <>
      <p>{t("qrSteps")}</p>
      <Square>
        {connection.qrcode !== "" ? (
          <QrImage text={connection.qrcode} alt={t("qrAlt")} />
        ) : trouble && connection.status === "DISCONNECTED" ? (
          <span role="status">
            {t(trouble === "expired" ? "qrExpired" : trouble, named)}
            <Button kind="primary" isBusy={isBusy} onClick={() => onRenew()}>
              {t("newQr")}
            </Button>
          </span>
        ) : (
          <span role="status">
            <Spinner /> {t(linkingText(connection, isLinking), named)}
          </span>
        )}
      </Square>
      {onScan && connection.qrcode !== "" && <SimulatorCodeButton label={t("simulatorScan")} onScan={onScan} />}
      <small>{t("passkey")}</small>
    </>
  );
}

const Square = styled("div")({
  display: "grid",
  placeItems: "center",
  width: size.qr + 24,
  height: size.qr + 24,
  borderRadius: 12,
  border: `1px solid ${color.line}`,
  backgroundColor: "#ffffff",
  color: "#16201c",
  "& > span": { display: "flex", flexDirection: "column", alignItems: "center", gap: 12, padding: 12 },
});

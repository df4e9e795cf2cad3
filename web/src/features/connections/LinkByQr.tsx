import { styled } from "#web/ui/styled.ts";
import type { Connection } from "@prosa/contract/connections";
import { useEffect, useState } from "react";
import { useMessages } from "#web/lib/i18n.ts";
import { Button, Spinner } from "#web/ui/Button.tsx";
import { color, size } from "#web/ui/theme.ts";
import { SimulatorPhone } from "./SimulatorPhone.tsx";
import { connectionMessages } from "./connections.i18n.ts";

/** What both ways of linking a line are told, and may ask for. */
export interface LinkingProps {
  readonly connection: Connection;
  /** The phone has taken the code; the line logs in. */
  readonly isLinking: boolean;
  /** A new code was asked for just now. */
  readonly isBusy: boolean;
  /** Asks for a QR or, with a number, for a pairing code. */
  readonly onRenew: (number?: string) => void;
  readonly onScan: (() => Promise<unknown>) | undefined;
}

export function LinkByQr({ connection, isLinking, isBusy, onRenew, onScan }: LinkingProps) {
  const t = useMessages(connectionMessages);
  // a line that was just made is not connected either, but for no reason: its QR is on the way
  const isOver = connection.status === "DISCONNECTED" && connection.reason !== null;

  return (
    <>
      <p>{t("qrSteps")}</p>
      <Square>
        {connection.qrcode !== "" ? (
          <Qr text={connection.qrcode} />
        ) : isOver ? (
          <span>
            {t("qrExpired")}
            <Button kind="primary" isBusy={isBusy} onClick={() => onRenew()}>
              {t("newQr")}
            </Button>
          </span>
        ) : (
          <span role="status">
            <Spinner /> {t(isLinking ? "linking" : "qrWaiting")}
          </span>
        )}
      </Square>
      {onScan && connection.qrcode !== "" && <SimulatorPhone label={t("simulatorScan")} onScan={onScan} />}
      <small>{t("passkey")}</small>
    </>
  );
}

/** Draws the QR as an image of 256 px (specification 2, section 2), dark on white in both themes. */
function Qr({ text }: { readonly text: string }) {
  const t = useMessages(connectionMessages);
  const [image, setImage] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    void import("qrcode").then(async (qr) => {
      const url = await qr.toDataURL(text, { width: size.qr * 2, margin: 1, errorCorrectionLevel: "L" });
      if (isCurrent) {
        setImage(url);
      }
    });
    return () => {
      isCurrent = false;
    };
  }, [text]);
  return image ? <img src={image} width={size.qr} height={size.qr} alt={t("qrAlt")} data-qr={text} /> : null;
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
  "& > span": { display: "flex", flexDirection: "column", alignItems: "center", gap: 12 },
});

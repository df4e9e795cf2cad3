import { styled } from "#web/ui/styled.ts";
import type { Connection } from "@prosa/contract/connections";
import { Smartphone } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useMessages } from "#web/lib/i18n.ts";
import { Button, Spinner } from "#web/ui/Button.tsx";
import { TextField } from "#web/ui/Field.tsx";
import { InfoDialog } from "#web/ui/InfoDialog.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { color, size } from "#web/ui/theme.ts";
import { useSessionVerb } from "./connections.api.ts";
import { connectionMessages } from "./connections.i18n.ts";

/** Links a line: its QR, live, or a code for the phone's number. Closes by itself once the line is linked (W-03). */
export function QrDialog(props: {
  readonly connection: Connection;
  readonly onClose: () => void;
  /** Offered for a simulator line: its own phone scans the QR. */
  readonly onScan?: (() => Promise<unknown>) | undefined;
}) {
  const { connection, onClose, onScan } = props;
  const t = useMessages(connectionMessages);
  const [byNumber, setByNumber] = useState(false);
  const hadQr = useRef(false);
  const isLinked =
    connection.status === "CONNECTED" || (hadQr.current && connection.qrcode === "" && isOpening(connection));

  useEffect(() => {
    hadQr.current ||= connection.qrcode !== "";
  }, [connection.qrcode]);
  useEffect(() => {
    if (isLinked) {
      onClose();
    }
  }, [isLinked, onClose]);

  return (
    <InfoDialog title={t("qrTitle", { name: connection.name })} width="xs" onClose={onClose}>
      <Body>
        {byNumber ? <ByNumber connection={connection} /> : <ByQr connection={connection} onScan={onScan} />}
        <Button kind="quiet" onClick={() => setByNumber(!byNumber)}>
          {t(byNumber ? "byQr" : "byNumber")}
        </Button>
      </Body>
    </InfoDialog>
  );
}

function ByQr({
  connection,
  onScan,
}: {
  readonly connection: Connection;
  readonly onScan?: (() => Promise<unknown>) | undefined;
}) {
  const t = useMessages(connectionMessages);
  const session = useSessionVerb();
  const [isScanning, setScanning] = useState(false);
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
            <Button
              kind="primary"
              isBusy={session.isPending}
              onClick={() =>
                session.mutate({ id: connection.id, verb: "renew" }, { onError: (error) => toast.failure(error) })
              }
            >
              {t("newQr")}
            </Button>
          </span>
        ) : (
          <span role="status">
            <Spinner /> {t("qrWaiting")}
          </span>
        )}
      </Square>
      {onScan && connection.qrcode !== "" && (
        <Button
          kind="primary"
          icon={<Smartphone size={16} />}
          isBusy={isScanning}
          onClick={() => {
            setScanning(true);
            onScan()
              .catch((error: unknown) => toast.failure(error))
              .finally(() => setScanning(false));
          }}
        >
          {t("simulatorScan")}
        </Button>
      )}
      <small>{t("passkey")}</small>
    </>
  );
}

function ByNumber({ connection }: { readonly connection: Connection }) {
  const t = useMessages(connectionMessages);
  const session = useSessionVerb();
  const [number, setNumber] = useState("");
  const digits = number.replace(/\D/gu, "");

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        session.mutate(
          { id: connection.id, verb: "renew", number: digits },
          { onError: (error) => toast.failure(error) },
        );
      }}
    >
      <TextField
        label={t("number")}
        hint={t("numberHint")}
        inputMode="tel"
        autoFocus
        value={number}
        onChange={(event) => setNumber(event.target.value)}
      />
      <Button kind="primary" type="submit" disabled={digits.length < 10} isBusy={session.isPending}>
        {t("getCode")}
      </Button>
      {connection.pairingCode !== "" && (
        <>
          <p>{t("codeSteps")}</p>
          <Code aria-live="polite">{`${connection.pairingCode.slice(0, 4)}-${connection.pairingCode.slice(4)}`}</Code>
        </>
      )}
    </form>
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

function isOpening({ status }: Connection): boolean {
  return status === "OPENING" || status === "PAIRING";
}

const Body = styled("div")({
  display: "flex",
  flexDirection: "column",
  alignItems: "center",
  gap: 12,
  textAlign: "center",
  "& p": { color: color.ink2 },
  "& small": { fontSize: 12, color: color.ink2 },
  "& form": { width: "100%", display: "flex", flexDirection: "column", gap: 12, textAlign: "left" },
});

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

const Code = styled("output")({
  display: "block",
  padding: 12,
  borderRadius: 8,
  backgroundColor: color.chip,
  fontSize: 28,
  fontWeight: 600,
  letterSpacing: "0.12em",
  textAlign: "center",
});

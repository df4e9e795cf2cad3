import { styled } from "#web/ui/styled.ts";
import { useEffect, useState } from "react";
import { serverNow } from "#web/lib/session/clock.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button, Spinner } from "#web/ui/Button.tsx";
import { TextField } from "#web/ui/fields/Field.tsx";
import { color } from "#web/ui/theme.ts";
import type { LinkingProps } from "./LinkByQr.tsx";
import { SimulatorCodeButton } from "./SimulatorCodeButton.tsx";
import { connectionMessages } from "./connections.i18n.ts";
import { linkTrouble } from "./link-trouble.ts";

/** Asks for the phone number, then shows its pairing code with the time left, until it is used or expires. */
export function LinkByNumber({ connection, isLinking, isBusy, onRenew, onScan }: LinkingProps) {
  const t = useMessages(connectionMessages);
  const format = useFormat();
  const [number, setNumber] = useState("");
  const [isRequested, setRequested] = useState(false);
  const { pairingCode: code, pairingExpiresAt } = connection;
  const trouble = linkTrouble(connection);
  const digits = number.replaceAll(/\D/gu, "");
  const left = useSecondsUntil(code === "" ? null : pairingExpiresAt);
  const isExpired = !isBusy && (code === "" ? trouble !== undefined : left === 0);

  if (code !== "" && !isExpired) {
    return (
      <>
        <p>{t("codeSteps")}</p>
        <Code role="status" aria-label={t("code")}>{`${code.slice(0, 4)}-${code.slice(4)}`}</Code>
        <p>
          {t("codeEnds")} <Left role="timer">{format.clock(left)}</Left>
        </p>
        {onScan && <SimulatorCodeButton label={t("simulatorType")} onScan={onScan} />}
      </>
    );
  }
  if (isLinking || (isRequested && !isExpired)) {
    return (
      <span role="status">
        <Spinner /> {t(isLinking ? "linking" : "qrWaiting")}
      </span>
    );
  }
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        setRequested(true);
        onRenew(digits);
      }}
    >
      {(isRequested || code !== "") && (
        <p role="status">
          {t(trouble === undefined || trouble === "expired" ? "codeOver" : trouble, {
            line: connection.numberHolder ?? "",
          })}
        </p>
      )}
      <TextField
        label={t("number")}
        hint={t("numberHint")}
        inputMode="tel"
        autoFocus
        value={number}
        onChange={(event) => setNumber(event.target.value)}
      />
      <Button kind="primary" type="submit" disabled={digits.length < 10} isBusy={isBusy}>
        {t("getCode")}
      </Button>
    </Form>
  );
}

/** Seconds until an instant of the server's clock, counted down; 0 without one. */
function useSecondsUntil(instant: string | null): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    if (instant === null) {
      return undefined;
    }
    setNow(serverNow());
    const timer = setInterval(() => setNow(serverNow()), 1_000);
    return () => clearInterval(timer);
  }, [instant]);
  return instant === null ? 0 : Math.max(0, Math.ceil((Date.parse(instant) - now) / 1_000));
}

const Form = styled("form")({ width: "100%", display: "flex", flexDirection: "column", gap: 12, textAlign: "left" });

const Code = styled("output")({
  display: "block",
  width: "100%",
  padding: 12,
  borderRadius: 8,
  backgroundColor: color.chip,
  fontSize: 28,
  fontWeight: 600,
  letterSpacing: "0.12em",
  textAlign: "center",
});

const Left = styled("span")({ fontVariantNumeric: "tabular-nums", fontWeight: 600 });

import { styled } from "#web/ui/styled.ts";
import { useEffect, useState } from "react";
import { serverNow } from "#web/lib/clock.ts";
import { useFormat } from "#web/lib/format.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { Button, Spinner } from "#web/ui/Button.tsx";
import { TextField } from "#web/ui/Field.tsx";
import { color } from "#web/ui/theme.ts";
import type { LinkingProps } from "./LinkByQr.tsx";
import { SimulatorPhone } from "./SimulatorPhone.tsx";
import { connectionMessages } from "./connections.i18n.ts";

/** A number, then the code that its phone wants: it stays, with the time that is left, until it is taken or has ended. */
export function LinkByNumber({ connection, isLinking, isBusy, onRenew, onScan }: LinkingProps) {
  const t = useMessages(connectionMessages);
  const format = useFormat();
  const [number, setNumber] = useState("");
  const [isAsked, setAsked] = useState(false);
  const { pairingCode: code, pairingExpiresAt, status } = connection;
  const digits = number.replaceAll(/\D/gu, "");
  const left = useSecondsUntil(code === "" ? null : pairingExpiresAt);
  const isOver = !isBusy && (code === "" ? status === "DISCONNECTED" && connection.reason !== null : left === 0);

  if (code !== "" && !isOver) {
    return (
      <>
        <p>{t("codeSteps")}</p>
        <Code role="status" aria-label={t("code")}>{`${code.slice(0, 4)}-${code.slice(4)}`}</Code>
        <p>
          {t("codeEnds")} <Left role="timer">{format.clock(left)}</Left>
        </p>
        {onScan && <SimulatorPhone label={t("simulatorType")} onScan={onScan} />}
      </>
    );
  }
  if (isLinking || (isAsked && !isOver)) {
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
        setAsked(true);
        onRenew(digits);
      }}
    >
      {(isAsked || code !== "") && <p role="status">{t("codeOver")}</p>}
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

/** Counts down to an instant of the server's clock; 0 without one. */
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

import type { TwoFactorSecret } from "@prosa/contract/two-factor";
import { useEffect, useState, type ReactNode } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { CodeForm } from "./CodeForm.tsx";
import { twoFactorMessages } from "./two-factor.i18n.ts";

/** The QR code and the key of a new secret, and the field for the first code. */
export function SetUpFactor(props: {
  readonly given: TwoFactorSecret;
  readonly onCode: (code: string) => Promise<unknown>;
  readonly children?: ReactNode;
}) {
  const t = useMessages(twoFactorMessages);
  const { secret, uri } = props.given;
  return (
    <Column>
      <p>{t("scan")}</p>
      <Qr text={uri} label={t("qr")} />
      <p>
        {t("key")}: <code data-testid="totp-key">{secret.replace(/(.{4})(?=.)/gu, "$1 ")}</code>
      </p>
      <CodeForm name={t("step")} label={t("code")} hint={t("digitsHint")} verb={t("turnOn")} onSend={props.onCode}>
        {props.children}
      </CodeForm>
    </Column>
  );
}

function Qr({ text, label }: { readonly text: string; readonly label: string }) {
  const [image, setImage] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    void import("qrcode").then(async (qr) => {
      const url = await qr.toDataURL(text, { width: 400, margin: 2, errorCorrectionLevel: "M" });
      if (isCurrent) {
        setImage(url);
      }
    });
    return () => {
      isCurrent = false;
    };
  }, [text]);
  return <Square>{image !== undefined && <img src={image} alt={label} width={200} height={200} />}</Square>;
}

const Column = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 12,
  "& code": { fontSize: 13, overflowWrap: "anywhere", userSelect: "all" },
});
/** Dark on white in both themes, as cameras want it. */
const Square = styled("div")({
  alignSelf: "center",
  width: 200,
  height: 200,
  borderRadius: 8,
  overflow: "hidden",
  backgroundColor: "#ffffff",
});

import { invoices, paymentRedirectMs, type PixCharge } from "@prosa/contract/invoices";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { navigate } from "#web/lib/routing/location.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { call, currentSession, updateSessionUser } from "#web/lib/session/session.ts";
import { Button, Spinner } from "#web/ui/Button.tsx";
import { QrImage } from "#web/ui/QrImage.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, size } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { invoiceKeys } from "./invoices.api.ts";
import { invoiceMessages } from "./invoices.i18n.ts";

/** How often the invoice is looked at: an overdue company has no socket that would tell of the payment. */
const askEveryMs = 4_000;

/** The QR code, until the invoice is paid: then a toast with the new due date, and after four seconds / (F-02, F-04). */
export function PixStep({ charge }: { readonly charge: PixCharge }) {
  const t = useMessages(invoiceMessages);
  const format = useFormat();
  usePaid(charge.invoiceId);
  const [isCopied, setCopied] = useState(false);
  const shown = useRef<HTMLElement>(null);
  const code = charge.qrcode.qrcode;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(code);
      setCopied(true);
      toast.success(t("copied"));
    } catch {
      // A browser has a clipboard only where the page came over HTTPS or from this machine.
      if (shown.current) {
        getSelection()?.selectAllChildren(shown.current);
      }
      toast.info(t("copyByHand"));
    }
  };
  return (
    <Step>
      <strong>{format.money(Number(charge.valor.original))}</strong>
      <Square>
        <QrImage text={code} alt={t("pixAlt")} />
      </Square>
      <p>{t("pixSteps")}</p>
      <Code ref={shown} aria-label={t("pixTitle")}>
        {code}
      </Code>
      <Button kind="primary" icon={isCopied ? <Check size={16} /> : <Copy size={16} />} onClick={() => void copy()}>
        {t("copy")}
      </Button>
      <span role="status">
        <Spinner /> {t("waiting")}
      </span>
      {!charge.isConfirmedAutomatically && <small>{t("byHand")}</small>}
    </Step>
  );
}

function usePaid(invoiceId: number): void {
  const t = useMessages(invoiceMessages);
  const format = useFormat();
  const queryClient = useQueryClient();
  const { data } = useQuery({
    queryKey: [...invoiceKeys.queryKey, "paid", invoiceId],
    queryFn: ({ signal }) => call(invoices.get, { params: { id: invoiceId }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === "open" ? askEveryMs : state.data ? false : askEveryMs),
  });
  const paidUntil = data?.status === "paid" ? data.paidUntil : undefined;
  const date = paidUntil ? format.date(paidUntil) : undefined;
  useEffect(() => {
    if (date === undefined || !paidUntil) {
      return undefined;
    }
    toast.success(t("renewed", { date }));
    const session = currentSession();
    if (session.state === "in") {
      updateSessionUser({ company: { ...session.user.company, dueDate: paidUntil, trialExpiration: null } });
    }
    void queryClient.invalidateQueries(invoiceKeys);
    const leaving = setTimeout(() => navigate("/"), paymentRedirectMs);
    return () => clearTimeout(leaving);
  }, [date, paidUntil, queryClient, t]);
}

const Step = styled("div")({
  display: "flex",
  flexDirection: "column",
  alignItems: "center",
  gap: 12,
  textAlign: "center",
  "& strong": { fontSize: 24 },
  "& p": { margin: 0, maxWidth: 360 },
  "& small, & [role=status]": { color: color.ink2 },
  "& [role=status]": { display: "inline-flex", alignItems: "center", gap: 8 },
});
const Square = styled("div")({
  display: "grid",
  placeItems: "center",
  width: size.qr + 24,
  height: size.qr + 24,
  borderRadius: 12,
  border: `1px solid ${color.line}`,
  backgroundColor: "#ffffff",
});
const Code = styled("code")({
  width: "100%",
  maxHeight: 84,
  overflow: "auto",
  padding: 10,
  borderRadius: 8,
  border: `1px solid ${color.line}`,
  fontSize: 12,
  textAlign: "left",
  overflowWrap: "anywhere",
});

import { invoices, paymentRedirectMs, type InvoiceDetails, type PixCharge } from "@prosa/contract/invoices";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useOfMinute } from "#web/lib/browser/minute.ts";
import { navigate } from "#web/lib/routing/location.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { call, currentSession, updateSessionUser } from "#web/lib/session/session.ts";
import { Button, Spinner } from "#web/ui/Button.tsx";
import { QrImage } from "#web/ui/QrImage.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, size } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { useCopy } from "#web/ui/useCopy.ts";
import { invoiceKeys } from "./invoices.api.ts";
import { invoiceMessages } from "./invoices.i18n.ts";
import { progressOf, type Progress } from "./pix-progress.ts";

/** How often the invoice is looked at: an overdue company has no socket that would tell of the payment. */
const askEveryMs = 4_000;

/**
 * The QR code, until the invoice is paid: then a toast with the new due date, and after four seconds / (F-02, F-04). What credit has
 * paid needs no code. When money comes that does not pay all, another sum is due meanwhile, or the code expires, it says so and offers a
 * new code.
 */
export function PixStep(props: { readonly charge: PixCharge; readonly onAgain: () => Promise<void> }) {
  const { charge, onAgain } = props;
  const t = useMessages(invoiceMessages);
  const format = useFormat();
  const progress = useProgress(charge);
  const [isBusy, setBusy] = useState(false);
  if (progress.state === "paid" || charge.paidUntil !== null) {
    return (
      <Step>
        <Check size={32} aria-hidden />
        <p>{charge.paidUntil === null ? t("paid") : t("byCredit", { value: format.money(charge.invoiceValue) })}</p>
      </Step>
    );
  }
  if (progress.state === "cancelled") {
    return (
      <Step>
        <p role="status">{t("wasCancelled")}</p>
      </Step>
    );
  }
  if (progress.state === "changed" || progress.state === "expired") {
    const again = async () => {
      setBusy(true);
      try {
        await onAgain();
      } catch (error) {
        toast.failure(error);
        setBusy(false);
      }
    };
    return (
      <Step>
        <p role="status">{whyAgain(progress)}</p>
        <Button kind="primary" isBusy={isBusy} onClick={() => void again()}>
          {t("newCode")}
        </Button>
      </Step>
    );
  }
  return <Code charge={charge} />;

  function whyAgain(since: Exclude<Progress, { readonly state: "waiting" | "cancelled" | "paid" }>): string {
    if (since.state === "expired") {
      return t("expired");
    }
    const due = format.money(since.due);
    return since.arrived > 0 ? t("arrived", { value: format.money(since.arrived), due }) : t("dueChanged", { due });
  }
}

function Code({ charge }: { readonly charge: PixCharge }) {
  const t = useMessages(invoiceMessages);
  const format = useFormat();
  const [isCopied, setCopied] = useState(false);
  const shown = useRef<HTMLElement>(null);
  const { credit, invoiceValue } = charge;
  const code = charge.qrcode.qrcode;
  const copyText = useCopy();
  const copy = async () => setCopied(await copyText(code, t("copied"), shown.current));
  return (
    <Step>
      <strong>{format.money(Number(charge.valor.original))}</strong>
      {credit !== 0 && (
        <p>
          {t(credit < 0 ? "withDebt" : "withCredit", {
            invoice: format.money(invoiceValue),
            value: format.money(Math.abs(credit)),
          })}
        </p>
      )}
      <Square>
        <QrImage text={code} alt={t("pixAlt")} />
      </Square>
      <p>{t("pixSteps")}</p>
      <CodeText ref={shown} aria-label={t("pixTitle")}>
        {code}
      </CodeText>
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

/** Looks at the invoice until it is paid or cancelled; what has changed is measured against the first look. */
function useProgress({ invoiceId, expiresAt }: PixCharge): Progress {
  const t = useMessages(invoiceMessages);
  const format = useFormat();
  const queryClient = useQueryClient();
  const [first, setFirst] = useState<InvoiceDetails>();
  const { data } = useQuery({
    queryKey: [...invoiceKeys.queryKey, "paid", invoiceId],
    queryFn: ({ signal }) => call(invoices.get, { params: { id: invoiceId }, signal }),
    refetchInterval: ({ state }) => (state.data && state.data.status !== "open" ? false : askEveryMs),
    gcTime: 0,
  });
  if (data && !first) {
    setFirst(data);
  }
  const isPaid = data?.status === "paid";
  const paidUntil = isPaid ? data.paidUntil : null;
  const date = paidUntil === null ? undefined : format.date(paidUntil);
  useEffect(() => {
    if (!isPaid) {
      return undefined;
    }
    toast.success(date === undefined ? t("paid") : t("renewed", { date }));
    const session = currentSession();
    if (session.state === "in" && paidUntil !== null) {
      updateSessionUser({
        company: { ...session.user.company, dueDate: paidUntil, isClosed: false, trialExpiration: null },
      });
    }
    void queryClient.invalidateQueries(invoiceKeys);
    const leaving = setTimeout(() => navigate("/"), paymentRedirectMs);
    return () => clearTimeout(leaving);
  }, [date, isPaid, paidUntil, queryClient, t]);
  const isExpired = useOfMinute((now) => expiresAt !== null && Date.parse(expiresAt) <= now);
  return progressOf(first, data, isExpired);
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
const CodeText = styled("code")({
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

import { useState } from "react";
import { Link } from "#web/lib/routing/router.tsx";
import { daysUntil, useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { Screen, ScreenHead, ScreenTitle } from "#web/ui/Screen.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { CheckoutDialog } from "./CheckoutDialog.tsx";
import { Facts } from "./Facts.tsx";
import { invoiceMessages } from "./invoices.i18n.ts";

/** /subscription: how long the trial lasts, who is billed, and the button to subscribe (F-06). */
export function SubscriptionPage() {
  const t = useMessages(invoiceMessages);
  const format = useFormat();
  const { company, support } = useUser();
  const [isOrdering, setOrdering] = useState(false);
  const days =
    company.trialExpiration === null
      ? undefined
      : Math.ceil((Date.parse(company.trialExpiration) - serverNow()) / 86_400_000);
  return (
    <Screen aria-label={t("subscription")}>
      <ScreenHead>
        <ScreenTitle>{t("subscription")}</ScreenTitle>
      </ScreenHead>
      <Card>
        {days !== undefined && <h2>{trialText(days)}</h2>}
        <Facts
          rows={[
            [t("billingEmail"), company.email || t("noEmail")],
            [t("plan"), company.plan?.name],
            [t("paidUntil"), company.dueDate === null ? undefined : dueText(company.dueDate)],
          ]}
        />
        <div>
          {!support && (
            <Button kind="primary" onClick={() => setOrdering(true)}>
              {t("subscribe")}
            </Button>
          )}
          <Link to="/financeiro">{t("toInvoices")}</Link>
        </div>
      </Card>
      {isOrdering && <CheckoutDialog invoice={null} onClose={() => setOrdering(false)} />}
    </Screen>
  );

  /** The company is served until its due date has passed, whatever the hour at which the trial began. */
  function trialText(daysLeft: number): string {
    if (daysLeft > 0) {
      return t("trialLeft", { count: daysLeft });
    }
    const { dueDate, timeZone } = company;
    return dueDate !== null && daysUntil(dueDate, timeZone, serverNow()) === 0 ? t("trialToday") : t("trialOver");
  }

  function dueText(dueDate: string): string {
    const left = daysUntil(dueDate, company.timeZone, serverNow());
    return left < 0 ? `${format.date(dueDate)} · ${t("overdue")}` : format.date(dueDate);
  }
}

const Card = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 20,
  maxWidth: 560,
  padding: 20,
  "& h2": { margin: 0, fontSize: 18, fontWeight: 600 },
  "& > div": { display: "flex", flexWrap: "wrap", alignItems: "center", gap: 16 },
  "& a": { color: color.accent },
});

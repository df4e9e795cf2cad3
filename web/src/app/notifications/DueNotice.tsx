import { queues } from "@prosa/contract/queues";
import { AlertTriangle } from "lucide-react";
import { useEffect } from "react";
import { createPortal } from "react-dom";
import { ApiError } from "#web/lib/api/apiError.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { navigate, useLocation } from "#web/lib/routing/location.ts";
import { Link } from "#web/lib/routing/router.tsx";
import { daysUntil, useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { call, updateSessionUser, useUser } from "#web/lib/session/session.ts";
import { Banner } from "#web/ui/Banner.ts";
import { dueMessages } from "./due-notice.i18n.ts";
import { usePlace } from "./place.ts";

/** The first mail is sent so many days before the due date; the banner comes with it. */
const warnDays = 7;
const payingScreens = ["/financeiro", "/subscription"];

registerRealtime({
  payment: ({ company: { dueDate } }, queryClient, { company }) => {
    updateSessionUser({ company: { ...company, dueDate } });
    void queryClient.invalidateQueries({ queryKey: ["invoices"] });
  },
});

/** The banner of admins above every screen before the end of what is paid; past it, they are led to the invoices. */
export function DueNotice() {
  const t = useMessages(dueMessages);
  const format = useFormat();
  const user = useUser();
  const { pathname } = useLocation();
  const { dueDate, timeZone } = user.company;
  const days = dueDate === null ? undefined : daysUntil(dueDate, timeZone, serverNow());
  const isShown = days !== undefined && days <= warnDays && isAdmin(user);
  const place = usePlace(isShown);
  const isPaying = payingScreens.includes(pathname);

  useEffect(() => {
    if (!isShown || days >= 0 || isPaying || user.super) {
      return;
    }
    // Only the server knows whether days of grace are left.
    call(queues.list, { query: {} }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "ERR_SUBSCRIPTION_EXPIRED") {
        navigate("/financeiro", { replace: true });
      }
    });
  }, [isShown, days, isPaying, user.super, pathname]);

  if (!isShown || !place || dueDate === null) {
    return null;
  }
  return createPortal(
    <Banner role="status">
      <AlertTriangle size={16} aria-hidden />
      <span>
        {days < 0 ? t("ended", { date: format.date(dueDate) }) : t("endsIn", { n: days })}{" "}
        {!isPaying && (
          <Link to="/financeiro" style={{ color: "inherit", fontWeight: 600 }}>
            {t("toInvoices")}
          </Link>
        )}
      </span>
    </Banner>,
    place,
  );
}

import { auth, type SessionUser } from "@prosa/contract/auth";
import { queues } from "@prosa/contract/queues";
import { useQuery, type QueryClient } from "@tanstack/react-query";
import { AlertTriangle } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { ApiError } from "#web/lib/api/apiError.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { useLiveState } from "#web/lib/realtime/socket.ts";
import { navigate, useLocation } from "#web/lib/routing/location.ts";
import { Link } from "#web/lib/routing/router.tsx";
import { daysUntil, useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { call, currentSession, updateSessionUser, useUser } from "#web/lib/session/session.ts";
import { Banner } from "#web/ui/Banner.ts";
import { dueMessages } from "./due-notice.i18n.ts";
import { usePlace } from "./place.ts";

/** The first mail is sent so many days before the due date; the banner comes with it. */
const warnDays = 7;
const payingScreens = ["/financeiro", "/subscription"];

/** How often the day is looked at; and, without a socket, what is paid. In ms. */
const lookEveryMs = 5_000;

type Company = SessionUser["company"];
const ownCompany = ["session", "company"];

registerRealtime({
  payment: ({ company: { dueDate } }, queryClient, { company }) => {
    noteCompany(queryClient, { ...company, dueDate, isClosed: false });
    void queryClient.invalidateQueries({ queryKey: ["invoices"] });
  },
  company: (packet, queryClient, { company }) => {
    if (packet.action === "update") {
      noteCompany(queryClient, { ...company, ...packet.company });
      void queryClient.invalidateQueries({ queryKey: ["invoices"] });
    }
  },
});

function noteCompany(queryClient: QueryClient, company: Company): void {
  queryClient.setQueryData<Company>(ownCompany, (known) => known && company);
  updateSessionUser({ company });
}

/** The banner of admins above every screen before the end of what is paid; past it, they are led to the invoices. */
export function DueNotice() {
  const t = useMessages(dueMessages);
  const format = useFormat();
  const user = useUser();
  const { pathname } = useLocation();
  const { dueDate, isClosed } = user.company;
  const days = useDaysLeft(user.company);
  const live = useLiveState();
  useFreshCompany(user, live !== "live");
  const isShown = days !== undefined && days <= warnDays && isAdmin(user);
  const place = usePlace(isShown);
  const isPaying = payingScreens.includes(pathname);

  useEffect(() => {
    if (!isShown || days >= 0 || isPaying || user.super) {
      return;
    }
    if (isClosed) {
      navigate("/financeiro", { replace: true });
      return;
    }
    // Only the server knows whether days of grace are left; who is beyond them has lost the socket, or does now.
    call(queues.list, { query: {} }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "ERR_SUBSCRIPTION_EXPIRED") {
        navigate("/financeiro", { replace: true });
      }
    });
  }, [isShown, days, isClosed, live, isPaying, user.super, pathname]);

  if (!isShown || !place || dueDate === null) {
    return null;
  }
  return createPortal(
    <Banner role="status">
      <AlertTriangle size={16} aria-hidden />
      <span>
        {days < 0 ? t("ended", { date: format.date(dueDate) }) : t("endsIn", { count: days })}{" "}
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

/** Days until the due date, negative after it. Follows the company's midnight, and a machine that was asleep then. */
function useDaysLeft({ dueDate, timeZone }: Company): number | undefined {
  return useSyncExternalStore(everyFewSeconds, () =>
    dueDate === null ? undefined : daysUntil(dueDate, timeZone, serverNow()),
  );
}

function everyFewSeconds(look: () => void): () => void {
  const timer = setInterval(look, lookEveryMs);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}

/**
 * Asks for the company of an admin again where no event can have told of a change: when the window comes back, after a gap in
 * the events (`refetchAll`), and every few seconds without a socket: an overdue company has none, and loses it when it becomes so.
 */
function useFreshCompany(user: SessionUser, isWithoutEvents: boolean): void {
  const { data } = useQuery({
    queryKey: ownCompany,
    queryFn: async ({ signal }) => (await call(auth.me, { signal })).company,
    enabled: isAdmin(user) && user.company.dueDate !== null,
    initialData: user.company,
    staleTime: Infinity,
    refetchOnWindowFocus: "always",
    refetchInterval: isWithoutEvents && lookEveryMs,
  });
  useEffect(() => {
    const session = currentSession();
    if (session.state === "in" && session.user.company !== data) {
      updateSessionUser({ company: data });
    }
  }, [data]);
}

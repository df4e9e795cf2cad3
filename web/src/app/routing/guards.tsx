/** Route guards: public, signed in, and restricted by profile, plan or flag (A-08, S-02, S-07). */
import { useEffect, useState, type ReactNode } from "react";
import { navigate, useLocation } from "#web/lib/routing/location.ts";
import { Redirect } from "#web/lib/routing/router.tsx";
import { useMessages } from "#web/lib/text/i18n.ts";
import { hasFeature } from "#web/lib/session/permissions.ts";
import { openSession, useSession, useUser } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { EmptyState, ProgressBar } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { appMessages } from "#web/app/app.i18n.ts";
import { canOpen } from "./routeAccess.ts";
import { Logo } from "#web/app/shell/Logo.tsx";
import type { RouteAccess } from "./screens.ts";
import { currentFlags } from "./sessionEvents.ts";

/** Redirects a signed-in user to /, and to /tickets after a sign-in here. */
export function PublicOnly({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const [wasOut, setWasOut] = useState(false);
  if (session.state === "in") {
    return <Redirect to={wasOut ? "/tickets" : "/"} />;
  }
  if (session.state === "out" && !wasOut) {
    setWasOut(true);
  }
  return session.state === "loading" ? <Waiting /> : children;
}

export function PrivateOnly({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  switch (session.state) {
    case "in":
      return children;
    case "out":
      return <Redirect to="/login" />;
    case "unreachable":
      return <Unreachable />;
    case "loading":
      return <Waiting />;
  }
}

/** Redirects users who may not open a screen, and says why. */
export function RequireAccess({ gate, children }: { readonly gate: RouteAccess; readonly children: ReactNode }) {
  const user = useUser();
  if (canOpen(gate, user, currentFlags())) {
    return children;
  }
  const isOfCompany = gate.who === "super" || (gate.plan !== undefined && !hasFeature(user, gate.plan));
  return isOfCompany ? <NotOfCompany /> : <Refused />;
}

/** What is not in the plan or the operator's (specification 2 section 6): shows a message, and redirects to / after a second. */
function NotOfCompany() {
  const t = useMessages(appMessages);
  useEffect(() => {
    toast.error(t("notInPlan"));
    const leaving = setTimeout(() => navigate("/", { replace: true }), 1_000);
    return () => clearTimeout(leaving);
  }, [t]);
  return null;
}

function Refused() {
  const t = useMessages(appMessages);
  const { pathname } = useLocation();
  useEffect(() => {
    // The dashboard is the default route after sign-in: users without access are redirected silently.
    if (pathname !== "/") {
      toast.error(t("noAccess"));
    }
  }, [pathname, t]);
  return <Redirect to="/tickets" />;
}

function Waiting() {
  const t = useMessages(appMessages);
  return <ProgressBar label={t("loading")} />;
}

/** The pause between two attempts to reach the server is between these (ms), so that not all browsers ask together. */
const TRY_AFTER_MS = { least: 4_000, most: 6_000 } as const;

/** Tries again by itself: nobody clicks on a machine that has just woken, before its network is back. */
function Unreachable() {
  const t = useMessages(appMessages);
  const [isTrying, setTrying] = useState(false);
  const tryNow = () => {
    setTrying(true);
    void openSession().finally(() => setTrying(false));
  };
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(tryAgain, TRY_AFTER_MS.least + Math.random() * (TRY_AFTER_MS.most - TRY_AFTER_MS.least));
    };
    const tryAgain = () => {
      clearTimeout(timer);
      void openSession();
      wait();
    };
    const wake = () => document.visibilityState === "visible" && tryAgain();
    wait();
    window.addEventListener("online", tryAgain);
    document.addEventListener("visibilitychange", wake);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("online", tryAgain);
      document.removeEventListener("visibilitychange", wake);
    };
  }, []);
  return (
    <main style={{ paddingTop: "15vh" }}>
      <EmptyState
        icon={<Logo size={28} />}
        title="Prosa"
        text={t("unreachable")}
        action={
          <Button kind="primary" isBusy={isTrying} onClick={tryNow}>
            {t("retry")}
          </Button>
        }
      />
    </main>
  );
}

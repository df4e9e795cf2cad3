/** Session events: the warning before the due date, and the sign-in on another computer. */
import { sessionRules } from "@prosa/contract/auth";
import { useEffect } from "react";
import { daysUntil } from "#web/lib/text/format.ts";
import { currentLanguage, translator } from "#web/lib/text/i18n.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { refreshRights } from "#web/lib/realtime/refetchAll.ts";
import { leaveAtOnce } from "#web/lib/routing/router.tsx";
import { serverNow } from "#web/lib/session/clock.ts";
import { currentSession, noteSignedInElsewhere, updateSessionUser, useUser } from "#web/lib/session/session.ts";
import { removeStored, clearStored, writeStored, readStored } from "#web/lib/session/storage.ts";
import { readToken } from "#web/lib/session/token.ts";
import { toast } from "#web/ui/Toast.tsx";
import { appMessages } from "#web/app/app.i18n.ts";
import type { BrowserFlags } from "./routeAccess.ts";

/** Adopts an earlier to-do list, warns once per start when the subscription is about to end, and updates the flag of campaigns (S-07). */
export function useSessionEvents(): void {
  const { id, company } = useUser();
  const { dueDate, timeZone } = company;

  useEffect(() => {
    // The to-do list that this browser kept for everybody becomes that of whoever signs in first.
    if (readStored("tasks") !== undefined) {
      void import("#web/app/screens/todoTasks.ts").then(({ adoptTasks }) => adoptTasks(id));
    }
  }, [id]);

  useEffect(() => {
    const days = dueDate === null ? undefined : daysUntil(dueDate, timeZone, serverNow());
    if (days !== undefined && isDueSoon(days)) {
      toast.later(translator(appMessages, currentLanguage())("dueSoon", { count: days }));
    }
  }, [dueDate, timeZone]);
}

export function isDueSoon(days: number): boolean {
  return days >= 0 && days < sessionRules.warnDueWithinDays;
}

/** The flags of this browser that gate screens. `cshow` is set by the company's setting campaignsEnabled. */
export function currentFlags(): BrowserFlags {
  const session = currentSession();
  if (session.state === "in") {
    const setting = session.user.company.settings.find(({ key }) => key === "campaignsEnabled");
    const isKept = readStored("cshow") === "true";
    if (setting?.value === "true" && !isKept) {
      writeStored("cshow", "true");
    } else if (setting && setting.value !== "true" && isKept) {
      removeStored("cshow");
    }
  }
  return { cshow: readStored("cshow") !== undefined };
}

registerRealtime({
  // Y-05: menu and open screens follow the plan at once.
  plan: ({ plan }, _, { company }) => updateSessionUser({ company: { ...company, plan } }),
  // U-01: rights and queues that an admin changed hold at once, and what is shown is read by them.
  user: (event, queryClient, me) => {
    if (event.action !== "delete" && event.user.id === me.id) {
      void refreshRights(queryClient);
    }
  },
  queue: (event, queryClient, me) => {
    if (event.action === "delete" && me.queues.some(({ id }) => id === event.queueId)) {
      void refreshRights(queryClient);
    }
  },
  // The event names the surviving session: that browser ignores it.
  auth: ({ user, sessionId }, _, me) => {
    const own = readToken(readStored("token") ?? "")?.sessionId;
    if (user.id === me.id && own !== sessionId) {
      toast.error(translator(appMessages, currentLanguage())("elsewhere"));
      clearStored();
      noteSignedInElsewhere();
      setTimeout(leaveAtOnce, sessionRules.reloadAfterElsewhereMs);
    }
  },
});

/** What may be done with a schedule, and how it is asked for and confirmed. */
import type { Schedule } from "@prosa/contract/schedules";
import { useFailReasonText } from "#web/features/messages/index.ts";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { useRemoveSchedule, useRetrySchedule } from "./schedules.api.ts";
import { scheduleMessages } from "./schedules.i18n.ts";

/** The author and admins may change a schedule. */
export function useMayChange(): (schedule: Pick<Schedule, "userId">) => boolean {
  const user = useUser();
  return ({ userId }) => userId === user.id || isAdmin(user);
}

/** Deletes after a question; resolves with whether it was deleted. */
export function useAskToRemove(): (schedule: Schedule) => Promise<boolean> {
  const t = useMessages(scheduleMessages);
  const remove = useRemoveSchedule();
  return async ({ id, sentAt }) => {
    const isDone = await confirm({
      title: t("removeTitle"),
      text: t(sentAt === null ? "removeText" : "removeSentText"),
      verb: t("removeVerb"),
      isDangerous: true,
      run: () => remove.mutateAsync(id),
    });
    if (isDone) {
      toast.success(t("removed"));
    }
    return isDone;
  };
}

/** Sends a failed one now. */
export function useRetry(): { readonly retry: (id: number, onDone?: () => void) => void; readonly isBusy: boolean } {
  const t = useMessages(scheduleMessages);
  const { mutate, isPending } = useRetrySchedule();
  const retry = (id: number, onDone?: () => void) =>
    mutate(id, {
      onSuccess: () => {
        toast.success(t("retried"));
        onDone?.();
      },
      onError: (error) => toast.failure(error),
    });
  return { retry, isBusy: isPending };
}

/** Why a schedule could not be sent, in words; undefined if nothing is wrong. */
export function useFailureText(): (schedule: Pick<Schedule, "error">) => string | undefined {
  const reasonText = useFailReasonText();
  const t = useMessages(scheduleMessages);
  return ({ error }) =>
    error === null ? undefined : error === "ERR_SCHEDULE_MOVED_IN" ? t("movedIn") : reasonText(error);
}

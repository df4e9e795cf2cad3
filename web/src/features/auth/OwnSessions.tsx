import { twoFactor, type OwnSession } from "@prosa/contract/two-factor";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call, signOut } from "#web/lib/session/session.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { ErrorState, ProgressBar } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { deviceName } from "./device-name.ts";
import { Rows } from "./Rows.ts";
import { twoFactorMessages } from "./two-factor.i18n.ts";

const sessionsKey = ["own-sessions"] as const;

/** Where the account is signed in, and was lately (V-03). */
export function OwnSessions() {
  const t = useMessages(twoFactorMessages);
  const query = useQuery({ queryKey: sessionsKey, queryFn: ({ signal }) => call(twoFactor.sessions, { signal }) });
  return (
    <Rows aria-labelledby="own-sessions">
      <h3 id="own-sessions">{t("sessions")}</h3>
      <p>{t("sessionsText")}</p>
      {query.data ? (
        <ul>
          {query.data.map((session) => (
            <Row key={session.id} session={session} />
          ))}
        </ul>
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <ProgressBar label={t("sessions")} />
      )}
    </Rows>
  );
}

function Row({ session }: { readonly session: OwnSession }) {
  const t = useMessages(twoFactorMessages);
  const format = useFormat();
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const { id, address, userAgent, isCurrent, endedAt, lastSeenAt } = session;
  const at = (when: string) => `${format.date(when)} ${format.time(when)}`;
  const end = async () => {
    setBusy(true);
    try {
      // This browser then forgets the session as well.
      await (isCurrent ? signOut() : call(twoFactor.endSession, { params: { id } }));
      await queryClient.invalidateQueries({ queryKey: sessionsKey });
    } catch (error) {
      toast.failure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <li data-ended={endedAt !== null || undefined}>
      <div>
        <b>
          {deviceName(userAgent) ?? t("unknownDevice")}
          {isCurrent ? ` · ${t("thisOne")}` : endedAt === null ? ` · ${t("open")}` : ""}
        </b>
        <small>
          {endedAt === null ? t("lastSeen", { when: at(lastSeenAt) }) : t("ended", { when: at(endedAt) })}
          {address !== null && `, ${t("from", { address })}`}
        </small>
      </div>
      {endedAt === null && (
        <Button isBusy={isBusy} onClick={() => void end()}>
          {t(isCurrent ? "endOwn" : "end")}
        </Button>
      )}
    </li>
  );
}

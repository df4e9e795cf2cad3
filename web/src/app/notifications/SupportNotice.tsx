import { support } from "@prosa/contract/support";
import { useQuery } from "@tanstack/react-query";
import { LifeBuoy } from "lucide-react";
import { createPortal } from "react-dom";
import {
  AllowForm,
  supportMessages,
  supportOptions,
  supportRealtime,
  useEndSupport,
} from "#web/features/support/index.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { call, renewToken, useUser } from "#web/lib/session/session.ts";
import { readStored } from "#web/lib/session/storage.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Banner } from "#web/ui/Banner.ts";
import { Button } from "#web/ui/Button.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { usePlace } from "./place.ts";

registerRealtime(supportRealtime);

/** The banner above every screen while the support is in the company, or asks to be; for the operator, where they are. */
export function SupportNotice() {
  const user = useUser();
  const { data } = useQuery(supportOptions);
  const present = user.support ? [] : (data?.present ?? []);
  const place = usePlace(user.support !== undefined || present.length > 0 || Boolean(data?.request));
  if (!place) {
    return null;
  }
  return createPortal(
    <>
      {user.support && <Inside company={user.company.name} until={user.support.until} />}
      {present[0] && data?.grant && <Here id={data.grant.id} name={present[0].name} until={data.grant.until} />}
      {data?.request && <Asks {...data.request} />}
    </>,
    place,
  );
}

/** The operator's own: where they are, and the way out. */
function Inside({ company, until }: { readonly company: string; readonly until: string }) {
  const t = useMessages(supportMessages);
  const when = useUntil()(until);
  const leave = () =>
    void call(support.leave).then(
      () => renewToken(readStored("token")),
      (error: unknown) => toast.failure(error),
    );
  return (
    <Bar role="status">
      <LifeBuoy size={16} aria-hidden />
      <span>{t("youAreIn", { company, when })}</span>
      <Button onClick={leave}>{t("leave")}</Button>
    </Bar>
  );
}

function Here(props: { readonly id: number; readonly name: string; readonly until: string }) {
  const t = useMessages(supportMessages);
  const when = useUntil()(props.until);
  const end = useEndSupport();
  const mayEnd = isAdmin(useUser());
  return (
    <Bar role="status">
      <LifeBuoy size={16} aria-hidden />
      <span>{t("isHere", { name: props.name, when })}</span>
      {mayEnd && (
        <Button
          isBusy={end.isPending}
          onClick={() => end.mutate(props.id, { onError: (error) => toast.failure(error) })}
        >
          {t("revoke")}
        </Button>
      )}
    </Bar>
  );
}

/** To admins: the request, with the time to choose. */
function Asks({ id, by: name, reason }: { readonly id: number; readonly by: string; readonly reason: string }) {
  const t = useMessages(supportMessages);
  const end = useEndSupport();
  return (
    <Bar role="status">
      <LifeBuoy size={16} aria-hidden />
      <span>{t(reason === "" ? "asks" : "asksBecause", { name, reason })}</span>
      <AllowForm verb={t("allow")}>
        <Button isBusy={end.isPending} onClick={() => end.mutate(id, { onError: (error) => toast.failure(error) })}>
          {t("decline")}
        </Button>
      </AllowForm>
    </Bar>
  );
}

/** The time alone while the day is today. */
function useUntil(): (until: string) => string {
  const format = useFormat();
  return (until) => format.dateTime(until).slice(0, -3);
}

const Bar = styled(Banner)({
  flexWrap: "wrap",
  backgroundColor: color.accentSoft,
  color: color.ink,
  "& > span": { flex: "1 1 240px", minWidth: 0, overflowWrap: "anywhere" },
});

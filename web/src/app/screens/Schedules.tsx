import type { Schedule } from "@prosa/contract/schedules";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "#web/lib/routing/location.ts";
import { contactOptions, contactsRealtime } from "#web/features/contacts/index.ts";
import {
  calendarMessages,
  ScheduleCalendar,
  ScheduleDialog,
  schedulesOfRange,
  schedulesRealtime,
  useMoveSchedule,
  type DayRange,
  type ScheduleStart,
} from "#web/features/schedules/index.ts";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { Screen, ScreenHead, ScreenTitle } from "#web/ui/Screen.ts";
import { ErrorState, ProgressBar } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { media } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";

registerRealtime(schedulesRealtime);
registerRealtime(contactsRealtime);

type Opened = { readonly schedule: Schedule } | { readonly start: ScheduleStart };

/** /schedules: the calendar of scheduled messages (O-03). `?contactId=` opens the form for that contact. */
export function Schedules() {
  const t = useMessages(calendarMessages);
  const format = useFormat();
  const isPhone = useMedia(media.phone);
  const [range, setRange] = useState<DayRange>();
  const query = useQuery({ ...schedulesOfRange(range ?? noRange), enabled: range !== undefined });
  const move = useMoveSchedule();
  const [opened, setOpened] = useState<Opened>();
  const asked = useAskedContact();
  const isMissing = query.isError && query.data === undefined;

  const onMove = async (schedule: Schedule, sendAt: Date) => {
    try {
      // Awaited: `mutate` would tell only of the last one, and nothing once the calendar is left.
      const saved = await move.mutateAsync({ schedule, sendAt: sendAt.toISOString() });
      toast.success(t("moved", { time: `${format.date(saved.sendAt)} ${format.time(saved.sendAt)}` }));
    } catch (error) {
      toast.failure(error);
    }
  };

  return (
    <Screen aria-label={t("title")}>
      <ScreenHead>
        <ScreenTitle>
          {t("title")} {query.data && <span>{format.number(query.data.length)}</span>}
        </ScreenTitle>
        <Button kind="primary" icon={<Plus size={16} />} onClick={() => setOpened({ start: {} })}>
          {t("add")}
        </Button>
      </ScreenHead>
      <Content aria-busy={query.isFetching}>
        {query.isFetching && (
          <Loading>
            <ProgressBar label={t("loading")} />
          </Loading>
        )}
        {isMissing && <ErrorState title={t("failed")} error={query.error} onRetry={() => void query.refetch()} />}
        <div hidden={isMissing}>
          <ScheduleCalendar
            schedules={query.data ?? none}
            firstView={isPhone ? "agenda" : "month"}
            onRange={setRange}
            onMove={(schedule, sendAt) => void onMove(schedule, sendAt)}
            onAdd={(sendAt) => setOpened({ start: { sendAt } })}
            onOpen={(schedule) => setOpened({ schedule })}
          />
        </div>
      </Content>
      {opened && <ScheduleDialog {...opened} onClose={() => setOpened(undefined)} />}
      {asked.contact && <ScheduleDialog start={{ contact: asked.contact }} onClose={asked.forget} />}
    </Screen>
  );
}

const none: readonly Schedule[] = [];
const noRange: DayRange = { dateStart: "", dateEnd: "", timeZone: "" };

/** The contact of the query `?contactId=`, once it is read. */
function useAskedContact() {
  const [search, setSearch] = useSearchParams();
  const id = Number(search.get("contactId"));
  const isAsked = Number.isInteger(id) && id > 0;
  const { data } = useQuery({ ...contactOptions(id), enabled: isAsked });
  const forget = () => {
    search.delete("contactId");
    setSearch(search, { replace: true });
  };
  return { contact: isAsked ? data : undefined, forget };
}

const Content = styled("div")({ position: "relative", flex: 1, minHeight: 0, overflowY: "auto", paddingTop: 12 });
/** Over the content: the calendar does not move while its days are fetched. */
const Loading = styled("div")({ position: "absolute", inset: "0 0 auto" });

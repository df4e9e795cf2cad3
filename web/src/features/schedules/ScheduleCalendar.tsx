import FullCalendar, { type CalendarApi, type CalendarRef, type EventInput } from "@fullcalendar/react";
import dayGrid from "@fullcalendar/react/daygrid";
import interaction from "@fullcalendar/react/interaction";
import list from "@fullcalendar/react/list";
import classicTheme from "@fullcalendar/react/themes/classic";
import timeGrid from "@fullcalendar/react/timegrid";
import "@fullcalendar/react/skeleton.css";
import "@fullcalendar/react/themes/classic/theme.css";
import type { Schedule } from "@prosa/contract/schedules";
import { Clock } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { useUser } from "#web/lib/session/session.ts";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { EmptyState } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { media, size } from "#web/ui/theme.ts";
import { calendarMessages } from "./calendar.i18n.ts";
import { CalendarFrame } from "./CalendarFrame.ts";
import { CalendarToolbar, calendarViews, type CalendarView } from "./CalendarToolbar.tsx";
import { proposedTimeOn, rangeOf, shownUntil, type DayRange } from "./ranges.ts";
import { useMayChange } from "./schedule-actions.ts";
import { ScheduleEvent } from "./ScheduleEvent.tsx";

/** Two languages that write dates as in Brazil, and the weeks of Spanish begin on Monday. */
const locales = { pt: "pt-br", en: "en-gb", es: "es" } as const;
const firstDays = { pt: 0, en: 0, es: 1 } as const;
const plugins = [dayGrid, timeGrid, list, interaction, classicTheme];
const time = { hour: "2-digit", minute: "2-digit", hour12: false } as const;

/**
 * The calendar of scheduled messages, in the company's time zone. What waits can be dragged to another day or time by who
 * may change it; a click on a free place proposes its time.
 */
export function ScheduleCalendar(props: {
  readonly schedules: readonly Schedule[];
  readonly firstView: CalendarView;
  readonly onRange: (range: DayRange) => void;
  readonly onMove: (schedule: Schedule, sendAt: Date) => void;
  readonly onAdd: (sendAt: Date) => void;
  readonly onOpen: (schedule: Schedule) => void;
}) {
  const t = useMessages(calendarMessages);
  const language = useLanguage();
  const { timeZone } = useUser().company;
  const mayChange = useMayChange();
  const isPhone = useMedia(media.phone);
  const calendar = useRef<CalendarRef>(null);
  const [shown, setShown] = useState({ title: "", view: props.firstView });
  const { schedules, onOpen } = props;
  const events = useMemo(
    () => schedules.map((schedule) => eventOf(schedule, mayChange(schedule), timeZone)),
    [schedules, mayChange, timeZone],
  );

  const withApi = (act: (api: CalendarApi) => void) => () => calendar.current && act(calendar.current.getApi());
  const add = (day: string, at: Date | undefined) => {
    const now = new Date(serverNow());
    const sendAt = at ?? proposedTimeOn(day, { now, timeZone });
    if (sendAt <= now) {
      toast.error(t("past"));
    } else {
      props.onAdd(sendAt);
    }
  };

  return (
    <>
      <CalendarToolbar
        title={shown.title}
        view={shown.view}
        onView={(view) => calendar.current?.getApi().changeView(calendarViews[view])}
        onToday={withApi((api) => api.today())}
        onPrevious={withApi((api) => api.prev())}
        onNext={withApi((api) => api.next())}
      />
      <CalendarFrame>
        <FullCalendar
          ref={calendar}
          plugins={plugins}
          height={size.calendar}
          headerToolbar={false}
          views={{ timeGridWeek: { titleFormat: { day: "numeric", month: "short", year: "numeric" } } }}
          initialView={calendarViews[props.firstView]}
          timeZone={timeZone}
          now={() => new Date(serverNow())}
          nowIndicator
          locale={locales[language]}
          firstDay={firstDays[language]}
          eventTimeFormat={time}
          slotHeaderFormat={time}
          scrollTime="08:00:00"
          displayEventEnd={false}
          allDaySlot={false}
          dayMaxEvents
          fixedWeekCount={false}
          slotEventOverlap={false}
          eventMaxStack={isPhone ? 1 : 3}
          // a week in a narrow frame has the letters of its days only, without their dates
          dayHeaderContent={({ isNarrow, view, weekdayText, dayNumberText, text }) =>
            isNarrow && view.type === calendarViews.week ? `${weekdayText} ${dayNumberText}` : text
          }
          moreLinkText={(count) => t("moreShort", { count })}
          moreLinkHint={(count) => t("more", { count })}
          closeHint={t("close")}
          eventsHint={t("events")}
          noEventsContent={() => <EmptyState icon={<Clock />} title={t("nothing")} text={t("nothingText")} />}
          events={events}
          // as a bar in the month too, where a timed event is a dot with a text
          eventDisplay="block"
          eventDurationEditable={false}
          longPressDelay={400}
          eventContent={({ event, timeText }) => (
            <ScheduleEvent schedule={scheduleOf(event)} time={timeText} onOpen={onOpen} />
          )}
          eventDrop={({ event, revert }) => {
            if (event.start === null || event.start.getTime() <= serverNow()) {
              revert();
              toast.error(t("past"));
            } else {
              props.onMove(scheduleOf(event), event.start);
            }
          }}
          dateClick={({ date, dateStr, allDay }) => add(dateStr.slice(0, 10), allDay ? undefined : date)}
          datesSet={({ start, end, view }) => {
            setShown({ title: view.title, view: viewOf(view.type) });
            props.onRange(rangeOf(start, end, timeZone));
          }}
        />
      </CalendarFrame>
    </>
  );
}

function eventOf(schedule: Schedule, isChangeable: boolean, timeZone: string): EventInput {
  const { id, sendAt, status, contact } = schedule;
  return {
    id: String(id),
    title: contact.name || contact.number,
    start: sendAt,
    end: shownUntil(sendAt, timeZone),
    startEditable: isChangeable && status === "PENDENTE",
    extendedProps: { schedule },
    classNames: [`schedule-${status}`],
  };
}

function scheduleOf({ extendedProps }: { readonly extendedProps: Record<string, unknown> }): Schedule {
  return extendedProps["schedule"] as Schedule;
}

function viewOf(type: string): CalendarView {
  const found = Object.entries(calendarViews).find(([, known]) => known === type);
  return (found?.[0] ?? "month") as CalendarView;
}

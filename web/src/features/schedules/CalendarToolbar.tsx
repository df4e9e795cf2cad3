import { ChevronLeft, ChevronRight } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { Tabs } from "#web/ui/Tabs.tsx";
import { media } from "#web/ui/theme.ts";
import { calendarMessages } from "./calendar.i18n.ts";

/** The views of the calendar, by their names in the library. */
export const calendarViews = { month: "dayGridMonth", week: "timeGridWeek", agenda: "listMonth" } as const;
export type CalendarView = keyof typeof calendarViews;

/** Which days are shown, and how. */
export function CalendarToolbar(props: {
  readonly title: string;
  readonly view: CalendarView;
  readonly onView: (view: CalendarView) => void;
  readonly onToday: () => void;
  readonly onPrevious: () => void;
  readonly onNext: () => void;
}) {
  const t = useMessages(calendarMessages);
  return (
    <Bar>
      <IconButton label={t("previous")} onClick={props.onPrevious}>
        <ChevronLeft />
      </IconButton>
      <Button onClick={props.onToday}>{t("today")}</Button>
      <IconButton label={t("next")} onClick={props.onNext}>
        <ChevronRight />
      </IconButton>
      <h2 aria-live="polite">{props.title}</h2>
      <Tabs
        label={t("views")}
        look="pill"
        selected={props.view}
        onSelect={props.onView}
        tabs={(["month", "week", "agenda"] as const).map((key) => ({ key, label: t(key) }))}
      />
    </Bar>
  );
}

const Bar = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: 6,
  padding: "0 20px 12px",
  "& > h2": { flex: 1, minWidth: 140, margin: "0 0 0 8px", fontSize: 15, fontWeight: 600 },
  "& > h2::first-letter": { textTransform: "uppercase" },
  [media.phone]: { padding: "0 12px 8px" },
});

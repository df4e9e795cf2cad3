import { ChevronLeft, ChevronRight } from "lucide-react";
import { DayPicker } from "react-day-picker";
import { localeOf, useLanguage, useMessages, type Language } from "#web/lib/text/i18n.ts";
import { styled } from "../styled.ts";
import { color, media } from "../tokens.ts";
import { dateMessages } from "./dates.i18n.ts";
import { isDay } from "./days.ts";

export interface CalendarProps {
  /** The chosen day; anything else chooses none. */
  readonly day: string;
  readonly today: string;
  readonly firstDay?: string | undefined;
  readonly lastDay?: string | undefined;
  readonly onChoose: (day: string) => void;
}

/** Sunday in Brazil, Monday where English (dd/MM) and Spanish are read. */
const firstWeekday = { pt: 0, en: 1, es: 1 } as const satisfies Record<Language, number>;

/** A month to choose a day from: arrows, Page Up and Down, Home and End move in it (react-day-picker, in a chunk of its own). */
export function Calendar({ day, today, firstDay, lastDay, onChoose }: CalendarProps) {
  const t = useMessages(dateMessages);
  const language = useLanguage();
  // Days are handled as midnights of UTC, whatever the browser's zone: some zones skip a midnight.
  const write = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(localeOf[language], { ...options, timeZone: "UTC" });
    return (date: Date) => format.format(date);
  };
  const [month, weekday, long] = [
    write({ month: "long", year: "numeric" }),
    write({ weekday: "short" }),
    write({ dateStyle: "full" }),
  ];
  return (
    <Root>
      <DayPicker
        mode="single"
        autoFocus
        timeZone="UTC"
        weekStartsOn={firstWeekday[language]}
        showOutsideDays
        fixedWeeks
        today={new Date(today)}
        selected={isDay(day) ? new Date(day) : undefined}
        defaultMonth={new Date(isDay(day) ? day : today)}
        disabled={[
          ...(firstDay ? [{ before: new Date(firstDay) }] : []),
          ...(lastDay ? [{ after: new Date(lastDay) }] : []),
        ]}
        onDayClick={(date) => onChoose(new Date(date.getTime()).toISOString().slice(0, 10))}
        formatters={{
          formatCaption: month,
          formatWeekdayName: (date) => weekday(date).replace(".", "").slice(0, 3),
          formatDay: (date) => String(date.getUTCDate()),
        }}
        labels={{
          labelNav: () => "",
          labelPrevious: () => t("previous"),
          labelNext: () => t("next"),
          labelGrid: month,
          labelWeekday: write({ weekday: "long" }),
          labelGridcell: long,
          labelDayButton: (date, { selected }) => (selected ? t("chosen", { day: long(date) }) : long(date)),
        }}
        components={{
          Chevron: ({ orientation }) =>
            orientation === "left" ? <ChevronLeft size={16} /> : <ChevronRight size={16} />,
        }}
      />
    </Root>
  );
}

const Root = styled("div")({
  padding: 8,
  "& .rdp-root, & .rdp-month": { position: "relative" },
  "& .rdp-nav": { position: "absolute", zIndex: 1, top: 0, right: 0, display: "flex", gap: 2 },
  "& .rdp-month_caption": {
    display: "flex",
    alignItems: "center",
    height: 32,
    padding: "0 72px 0 8px",
    fontSize: 13,
    fontWeight: 600,
  },
  "& .rdp-caption_label": { display: "block", "&::first-letter": { textTransform: "uppercase" } },
  "& button": {
    display: "grid",
    placeItems: "center",
    width: "100%",
    height: 34,
    padding: 0,
    border: 0,
    borderRadius: 8,
    background: "none",
    color: "inherit",
    fontSize: 13,
    fontVariantNumeric: "tabular-nums",
    cursor: "pointer",
    "&:hover": { backgroundColor: color.hover },
    "&:disabled": { cursor: "default", color: color.ink3, background: "none" },
    [media.coarse]: { height: 44 },
  },
  "& .rdp-nav button": {
    width: 32,
    height: 32,
    color: color.ink2,
    [media.coarse]: { width: 44, height: 44 },
  },
  "& .rdp-month_grid": { width: "100%", borderCollapse: "collapse", tableLayout: "fixed" },
  "& .rdp-weekday": { height: 28, padding: 0, textAlign: "center", fontSize: 11, fontWeight: 500, color: color.ink2 },
  "& .rdp-day": { padding: 1 },
  "& .rdp-outside": { color: color.ink2 },
  "& .rdp-today button": { fontWeight: 700, boxShadow: `inset 0 0 0 1px ${color.lineStrong}` },
  "& .rdp-selected button": { backgroundColor: color.accent, color: color.onAccent, boxShadow: "none" },
});

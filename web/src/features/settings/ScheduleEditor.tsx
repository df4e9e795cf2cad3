import { styled } from "#web/ui/styled.ts";
import { isOverlapping, type ScheduleDay } from "@prosa/contract/queues";
import { Copy, Plus, X } from "lucide-react";
import { useId, useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { isTime } from "#web/ui/dates/parse.ts";
import { TimeInput } from "#web/ui/dates/TimeField.tsx";
import { Switch } from "#web/ui/fields/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { color, media, visuallyHidden } from "#web/ui/theme.ts";
import {
  closed,
  copiedToWorkdays,
  hasTimesOnly,
  isClosed,
  isOvernight,
  opened,
  withBreak,
  withoutBreak,
} from "./schedule.ts";
import { scheduleMessages } from "./schedule.i18n.ts";

/**
 * Editor of a week of opening hours: each day is closed, or open in one or two ranges (G-03).
 * Where ranges overlap, the day shows it, and saving is refused; so it is of a time that was not understood, which stays in the week
 * as it was typed (`hasTimesOnly`, decision 0157).
 */
export function ScheduleEditor(props: {
  readonly week: readonly ScheduleDay[];
  readonly onChange: (week: ScheduleDay[]) => void;
  readonly isReadOnly?: boolean;
}) {
  const { week, onChange, isReadOnly = false } = props;
  const t = useMessages(scheduleMessages);
  const change = (next: ScheduleDay) => onChange(week.map((day) => (day.weekdayEn === next.weekdayEn ? next : day)));
  return (
    <Week disabled={isReadOnly}>
      <legend>{t("week")}</legend>
      {week.map((day) => (
        <Day key={day.weekdayEn} day={day} onChange={change}>
          {day.weekdayEn === "monday" && !isReadOnly && (
            <IconButton label={t("copy")} size="small" onClick={() => onChange(copiedToWorkdays(week, day))}>
              <Copy />
            </IconButton>
          )}
        </Day>
      ))}
    </Week>
  );
}

function Day(props: {
  readonly day: ScheduleDay;
  readonly onChange: (day: ScheduleDay) => void;
  readonly children: React.ReactNode;
}) {
  const { day, onChange } = props;
  const t = useMessages(scheduleMessages);
  const name = t(day.weekdayEn);
  // Two times are equal for a moment while one of them is typed, and a field that goes would take the rest of it along.
  const [isTyping, setTyping] = useState(false);
  const isOpen = isTyping || !isClosed(day);
  const switchId = useId();
  const { startTime2, endTime2 } = day;
  return (
    <Row role="group" aria-label={name}>
      <span>
        <Switch
          id={switchId}
          aria-label={t("isOpen", { day: name })}
          checked={isOpen}
          onChange={() => onChange(isOpen ? closed(day) : opened(day))}
        />
        <label htmlFor={switchId}>{name}</label>
      </span>
      {isOpen ? (
        <Ranges
          data-hours
          onFocus={() => setTyping(true)}
          onBlur={({ currentTarget, relatedTarget }) => setTyping(currentTarget.contains(relatedTarget))}
        >
          <Range
            label={t("first", { day: name })}
            start={day.startTime}
            end={day.endTime}
            onChange={(startTime, endTime) => onChange({ ...day, startTime, endTime })}
          />
          {startTime2 !== null && endTime2 !== null ? (
            <>
              <Range
                label={t("second", { day: name })}
                start={startTime2}
                end={endTime2}
                onChange={(start, end) => onChange({ ...day, startTime2: start, endTime2: end })}
              />
              <IconButton label={t("withoutBreak")} size="small" onClick={() => onChange(withoutBreak(day))}>
                <X />
              </IconButton>
            </>
          ) : (
            <Button
              kind="quiet"
              icon={<Plus size={14} />}
              disabled={!hasTimesOnly([day])}
              onClick={() => onChange(withBreak(day))}
            >
              {t("withBreak")}
            </Button>
          )}
          {hasTimesOnly([day])
            ? isOverlapping(day) && <Wrong role="alert">{t("overlap")}</Wrong>
            : !isTyping && <Wrong role="alert">{t("noTime")}</Wrong>}
        </Ranges>
      ) : (
        <Closed data-hours>{t("closed")}</Closed>
      )}
      <span data-end>{props.children}</span>
    </Row>
  );
}

function Range(props: {
  readonly label: string;
  readonly start: string;
  readonly end: string;
  readonly onChange: (start: string, end: string) => void;
}) {
  const t = useMessages(scheduleMessages);
  const { start, end } = props;
  return (
    <Pair>
      <TimeInput
        aria-label={t("from", { range: props.label })}
        value={start}
        onChange={({ target }) => props.onChange(target.value, end)}
      />
      <i aria-hidden>–</i>
      <TimeInput
        aria-label={t("to", { range: props.label })}
        value={end}
        isEnd
        onChange={({ target }) => props.onChange(start, target.value)}
      />
      {isTime(end) && isOvernight(start, end) && <small>{t("overnight")}</small>}
    </Pair>
  );
}

const Week = styled("fieldset")({
  margin: 0,
  padding: 0,
  border: 0,
  minWidth: 0,
  "& > legend": visuallyHidden,
});

const Row = styled("div")({
  display: "grid",
  gridTemplateColumns: "150px minmax(0, 1fr) 28px",
  alignItems: "center",
  gap: 12,
  minHeight: 52,
  padding: "6px 0",
  borderBottom: `1px solid ${color.line}`,
  "&:last-of-type": { borderBottom: 0 },
  "& > span:first-of-type": { display: "flex", alignItems: "center", gap: 10 },
  "& label": { cursor: "pointer", fontWeight: 500 },
  [media.phone]: {
    gridTemplateColumns: "minmax(0, 1fr) 28px",
    "& > [data-hours]": { gridColumn: "1 / -1", gridRow: 2 },
  },
});
const Ranges = styled("div")({ display: "flex", flexWrap: "wrap", alignItems: "center", gap: "6px 12px" });
const Wrong = styled("small")({ flexBasis: "100%", fontSize: 12, color: color.danger });
const Pair = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: 6,
  "& i": { color: color.ink2, fontStyle: "normal" },
  "& small": { fontSize: 12, color: color.ink2 },
});
const Closed = styled("span")({ color: color.ink2 });

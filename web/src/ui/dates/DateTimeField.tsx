import { useId } from "react";
import { localeOf, useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "../Button.tsx";
import { Field, type FieldProps } from "#web/ui/fields/Field.tsx";
import { Pills } from "../Pills.ts";
import { styled } from "../styled.ts";
import { color } from "../tokens.ts";
import { useFieldValue, type ValueProps } from "#web/ui/fields/useFieldValue.ts";
import { dateMessages } from "./dates.i18n.ts";
import { dayText, isDay } from "./days.ts";
import { isTime, parseMoment, usualTime } from "./parse.ts";
import { CalendarInput } from "./parts.tsx";
import { presetsAt } from "./presets.ts";
import { TimeField } from "./TimeField.tsx";
import { useClock } from "./useClock.ts";
import { useTypedText } from "./useTypedText.ts";

interface DateTimeFieldProps extends FieldProps, ValueProps {
  /** The first day that may be chosen: `2026-11-23`. */
  readonly firstDay?: string;
  /** Offers "in 1 hour", "tomorrow 9 am" and the like below the field. */
  readonly hasPresets?: boolean;
}

/**
 * A day with a time, in the company's time zone: typed ("23/11/2026 9:30", "amanhã 9h", "next monday 2pm", "em 1 hora"), by a
 * preset, or from a month. Its value is the wall-clock time `2026-11-23T09:30` (`instantOf` makes the instant), empty without
 * one, and the typed text itself where that is none, which the form's rules refuse and the field explains.
 */
export function DateTimeField({ label, error, hint, isOptional, firstDay, hasPresets, ...given }: DateTimeFieldProps) {
  const t = useMessages(dateMessages);
  const readingId = useId();
  const clock = useClock();
  const field = useFieldValue<HTMLInputElement>(given);
  const { day, time } = partsOf(field.current);
  const isTimeWrong = day !== "" && !isTime(time);
  const typed = useTypedText({
    field,
    format: momentText,
    parse: (text) => parseMoment(text, { ...clock, ...(isTime(time) && { time }) }),
  });
  const reading = useReading(field.current);
  const choose = (value: string) => {
    typed.choose(value);
    field.blur();
  };
  return (
    <Field
      {...{ label, hint }}
      {...(isOptional && { isOptional })}
      error={
        typed.problem
          ? t(typed.problem === "unclear" ? "unclearMoment" : typed.problem)
          : isTimeWrong && !typed.isTyping
            ? t("unclearTime")
            : error
      }
    >
      {(control) => (
        <>
          <CalendarInput
            {...control}
            aria-describedby={
              [control["aria-describedby"], reading && readingId].filter(Boolean).join(" ") || undefined
            }
            ref={field.element}
            field={label}
            placeholder={t("momentExample")}
            value={typed.text}
            onChange={(event) => typed.type(event.target.value)}
            onLeave={typed.leave}
            calendar={{
              day,
              today: clock.today,
              firstDay,
              onChoose: (chosen) => choose(`${chosen}T${isTime(time) ? time : usualTime}`),
            }}
            below={(close) => (
              <Foot>
                <TimeField
                  label={t("time")}
                  value={time}
                  onChange={({ target }) => typed.choose(`${day || clock.today}T${target.value}`)}
                />
                <Button
                  kind="primary"
                  onClick={() => {
                    close();
                    field.blur();
                  }}
                >
                  {t("done")}
                </Button>
              </Foot>
            )}
          />
          {reading && <Reading id={readingId}>{reading}</Reading>}
          {hasPresets && (
            <Presets role="group" aria-label={t("presets")}>
              {presetsAt(clock).map(({ key, value }) => (
                <button key={key} type="button" aria-pressed={field.current === value} onClick={() => choose(value)}>
                  {t(key)}
                </button>
              ))}
            </Presets>
          )}
        </>
      )}
    </Field>
  );
}

/** The day of a value, and what was chosen or typed as its time, which may be none: the form's rules refuse it then. */
function partsOf(value: string): { readonly day: string; readonly time: string } {
  const day = value.slice(0, 10);
  return value.charAt(10) === "T" && isDay(day) ? { day, time: value.slice(11) } : { day: "", time: "" };
}

/** `2026-11-23T09:30` as `23/11/2026 09:30`. */
function momentText(value: string): string {
  const { day, time } = partsOf(value);
  return day === "" ? value : `${dayText(day)} ${time}`;
}

/** The moment in words, so that who typed "sexta 9h" sees which one: "sexta-feira, 27 de novembro às 09:00". */
function useReading(value: string): string | undefined {
  const language = useLanguage();
  const { time } = partsOf(value);
  if (!isTime(time)) {
    return undefined;
  }
  const day = new Intl.DateTimeFormat(localeOf[language], {
    timeZone: "UTC",
    weekday: "long",
    day: "numeric",
    month: "long",
  });
  return `${day.format(new Date(`${value.slice(0, 10)}T12:00Z`))}, ${time}`;
}

const Reading = styled("p")({
  fontSize: 12,
  lineHeight: 1.35,
  color: color.ink2,
  "&::first-letter": { textTransform: "uppercase" },
});
const Presets = styled(Pills)({ padding: "2px 0" });
const Foot = styled("div")({
  display: "flex",
  alignItems: "flex-end",
  justifyContent: "space-between",
  gap: 8,
  padding: "8px 12px 12px",
  borderTop: `1px solid ${color.line}`,
  "& > div": { width: 110 },
});

import { useMessages } from "#web/lib/text/i18n.ts";
import { Field, type FieldProps } from "#web/ui/fields/Field.tsx";
import { useFieldValue, type ValueProps } from "#web/ui/fields/useFieldValue.ts";
import { dateMessages } from "./dates.i18n.ts";
import { dayText, isDay } from "./days.ts";
import { parseDay } from "./parse.ts";
import { CalendarInput } from "./parts.tsx";
import { useClock } from "./useClock.ts";
import { useTypedText } from "./useTypedText.ts";

interface DateFieldProps extends FieldProps, ValueProps {
  /** First and last day that may be chosen: `2026-11-23`. */
  readonly firstDay?: string;
  readonly lastDay?: string;
  readonly disabled?: boolean;
}

/**
 * A calendar day: typed ("23/11/2026", "sexta", "tomorrow") or chosen from a month. Its value is `2026-11-23`, empty without
 * one, and the typed text itself where that is no day, which the form's rules refuse and the field explains.
 */
export function DateField({ label, error, hint, isOptional, firstDay, lastDay, disabled, ...given }: DateFieldProps) {
  const t = useMessages(dateMessages);
  const { today } = useClock();
  const field = useFieldValue<HTMLInputElement>(given);
  const typed = useTypedText({ field, format: dayText, parse: (text) => parseDay(text, today) });
  const choose = (chosen: string) => {
    typed.choose(chosen);
    field.blur();
  };
  const day = field.current;
  const isEarly = firstDay !== undefined && isDay(day) && day < firstDay;
  const isLate = lastDay !== undefined && isDay(day) && day > lastDay;
  const fault =
    (typed.problem && t(typed.problem === "unclear" ? "unclearDay" : typed.problem)) ??
    (isEarly ? t("tooEarly", { day: dayText(firstDay) }) : isLate ? t("tooLate", { day: dayText(lastDay) }) : error);
  return (
    <Field {...{ label, hint }} {...(isOptional && { isOptional })} error={fault}>
      {(control) => (
        <CalendarInput
          {...control}
          ref={field.element}
          field={label}
          placeholder={t("dayExample")}
          disabled={disabled}
          value={typed.text}
          onChange={(event) => typed.type(event.target.value)}
          onLeave={typed.leave}
          calendar={{ day, today, firstDay, lastDay, onChoose: choose }}
        />
      )}
    </Field>
  );
}

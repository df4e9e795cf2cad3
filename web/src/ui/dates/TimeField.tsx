import { Autocomplete } from "@base-ui/react/autocomplete";
import { useState, type ComponentProps } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Field, Input, type FieldProps } from "#web/ui/fields/Field.tsx";
import { itemStyle, listStyle, popupStyle, positionerStyle } from "../select/parts.ts";
import { stopHere } from "../select/usePopup.ts";
import { styled } from "../styled.ts";
import { useBack } from "../useBack.ts";
import { useFieldValue, type ValueProps } from "#web/ui/fields/useFieldValue.ts";
import { dateMessages } from "./dates.i18n.ts";
import { parseEndTime, parseTime } from "./parse.ts";
import { timesOfDay, timesLike } from "./presets.ts";
import { useTypedText } from "./useTypedText.ts";

/** A labelled time of day. */
export function TimeField({ label, error, hint, ...given }: FieldProps & ValueProps) {
  return (
    <Field {...{ label, hint, error }}>
      {(control) => <TimeInput {...given} {...control} aria-label={label} style={{ width: "100%" }} />}
    </Field>
  );
}

/**
 * A time of day: typed ("9h", "9:30", "3 da tarde") or chosen from a list of quarters of an hour. Its value is `09:30`, and the
 * typed text itself where that is no time.
 */
export function TimeInput({
  isEnd = false,
  name,
  value,
  onChange,
  onBlur,
  ref,
  ...input
}: {
  /** Something ends at it, which may be the end of the day: `24:00`. */
  readonly isEnd?: boolean;
} & ValueProps &
  Omit<ComponentProps<"input">, "name" | "value" | "onChange" | "onBlur" | "ref">) {
  const t = useMessages(dateMessages);
  const field = useFieldValue<HTMLInputElement>({ name, value, onChange, onBlur, ref } as ValueProps);
  const typed = useTypedText({ field, format: (time) => time, parse: isEnd ? parseEndTime : parseTime });
  const [isOpen, setOpen] = useState(false);
  const times = typed.isTyping ? timesLike(typed.text) : timesOfDay;
  const isShown = isOpen && times.length > 0;
  useBack(isShown ? () => setOpen(false) : undefined);
  return (
    <Autocomplete.Root
      items={times}
      filter={null}
      value={typed.text}
      open={isShown}
      onOpenChange={setOpen}
      openOnInputClick
      onValueChange={(text, { reason }) => {
        if (reason === "item-press") {
          typed.choose(text);
        } else if (reason !== "escape-key") {
          // Escape beside a closed list is for the dialog; Base UI would also empty the field.
          typed.type(text);
        }
      }}
    >
      <Autocomplete.Input
        {...input}
        ref={field.element}
        render={<Time />}
        placeholder={t("timeExample")}
        maxLength={20}
        aria-invalid={input["aria-invalid"] ?? (typed.problem !== undefined || undefined)}
        title={typed.problem && t(typed.problem === "unclear" ? "unclearTime" : typed.problem)}
        onFocus={(event) => event.target.select()}
        onBlur={() => {
          // A list that shows nothing for what is typed counts as open, and would come up with all times as the text is written out.
          setOpen(isShown);
          typed.leave();
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape" && isShown) {
            // Only while the list is open: the mark on the event would keep the dialog around the field open as well.
            event.preventBaseUIHandler();
            event.preventDefault();
            event.stopPropagation();
            setOpen(false);
          }
        }}
      />
      <Autocomplete.Portal>
        <Positioner sideOffset={4} align="start" onClick={stopHere}>
          <Popup>
            <List ref={typed.isTyping ? undefined : scrollTo(field.current)}>
              {(time: string) => (
                <Item key={time} value={time} data-time={time}>
                  {time}
                </Item>
              )}
            </List>
          </Popup>
        </Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}

/** The list opens at the chosen time, or at the morning. */
function scrollTo(time: string) {
  const quarter = timesOfDay.findLast((each) => each <= (time || "08:00")) ?? "08:00";
  return (list: HTMLElement | null) => {
    const item = list?.querySelector<HTMLElement>(`[data-time="${quarter}"]`);
    if (list && item) {
      list.scrollTop = item.offsetTop - list.offsetTop - 8;
    }
  };
}

const Time = styled(Input)({ width: 76, textAlign: "center", fontVariantNumeric: "tabular-nums" });
const Positioner = styled(Autocomplete.Positioner)(positionerStyle);
const Popup = styled(Autocomplete.Popup)({ ...popupStyle, maxHeight: "min(240px, var(--available-height))" });
const List = styled(Autocomplete.List)({ ...listStyle, position: "relative" });
const Item = styled(Autocomplete.Item)({ ...itemStyle, justifyContent: "center", fontVariantNumeric: "tabular-nums" });

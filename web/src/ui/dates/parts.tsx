/** What date and time fields share: a text field with a calendar button at its end. */
import { CalendarDays } from "lucide-react";
import { useRef, type ComponentProps, type KeyboardEvent, type ReactNode } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Input } from "#web/ui/fields/Field.tsx";
import { IconButton } from "../IconButton.tsx";
import { lateComponent } from "../lateComponent.tsx";
import { Popover } from "../Popover.tsx";
import { styled } from "../styled.ts";
import { color, media } from "../tokens.ts";
import type { CalendarProps } from "./Calendar.tsx";
import { dateMessages } from "./dates.i18n.ts";

const loadCalendar = () => import("./Calendar.tsx");
/** What is below the month comes with it: the first control of the popover has the focus. */
const LateMonth = lateComponent(
  async () => {
    const { Calendar } = await loadCalendar();
    return function Month({ below, ...calendar }: CalendarProps & { readonly below: ReactNode }) {
      return (
        <>
          <Calendar {...calendar} />
          {below}
        </>
      );
    };
  },
  () => <Room />,
);

/** A text field whose calendar opens by its button, or by the arrow down. */
export function CalendarInput({
  field,
  calendar,
  below,
  onLeave,
  ...input
}: ComponentProps<"input"> & {
  /** The field's name, for the button and the popover. */
  readonly field: string;
  readonly calendar: CalendarProps;
  /** Below the month; without it a chosen day closes the popover. */
  readonly below?: (close: () => void) => ReactNode;
  /** The text is complete: the field was left, Enter pressed, a day chosen. */
  readonly onLeave: () => void;
}) {
  const t = useMessages(dateMessages);
  const button = useRef<HTMLButtonElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      button.current?.click();
    } else if (event.key === "Enter") {
      onLeave();
    }
  };
  return (
    <Box onPointerEnter={() => void loadCalendar().catch(() => undefined)}>
      <Input {...input} autoComplete="off" spellCheck={false} onBlur={onLeave} onKeyDown={onKeyDown} />
      <Popover
        label={t("calendarOf", { field })}
        width={288}
        opener={(opener) => (
          <IconButton ref={button} size="small" label={t("calendar")} disabled={input.disabled === true} {...opener}>
            <CalendarDays />
          </IconButton>
        )}
      >
        {(close) => (
          <LateMonth
            {...calendar}
            below={below?.(close)}
            onChoose={(day) => {
              calendar.onChoose(day);
              if (!below) {
                close();
              }
            }}
            onClose={close}
          />
        )}
      </Popover>
    </Box>
  );
}

const Box = styled("div")({
  position: "relative",
  "& > input": { paddingRight: 40, fontVariantNumeric: "tabular-nums" },
  "& > button": { position: "absolute", right: 4, top: "calc(50% - 14px)", color: color.ink2 },
  [media.coarse]: { "& > button": { right: 0, top: 0 } },
});
/** As high as a month, so that the popover does not jump. */
const Room = styled("div")({ height: 290 });

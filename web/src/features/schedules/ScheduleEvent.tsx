import type { Schedule } from "@prosa/contract/schedules";
import { Check, CircleAlert, Clock, Paperclip, Pencil, Trash2 } from "lucide-react";
import { useHeldText } from "#web/features/sending/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, visuallyHidden } from "#web/ui/theme.ts";
import { calendarMessages } from "./calendar.i18n.ts";
import { useAskToRemove, useFailureText, useMayChange } from "./schedule-actions.ts";

const stateIcons = { PENDENTE: Clock, ENVIADA: Check, ERRO: CircleAlert } as const;

/**
 * A scheduled message on the calendar: time and contact, with edit and delete. Its name opens it too, because the icons have
 * no room in a narrow day.
 */
export function ScheduleEvent(props: {
  readonly schedule: Schedule;
  /** As the calendar writes it; "" where it has its own column for it. */
  readonly time: string;
  readonly onOpen: (schedule: Schedule) => void;
}) {
  const { schedule, time, onOpen } = props;
  const { contact, status, isLate, body, mediaName, sentAt } = schedule;
  const t = useMessages(calendarMessages);
  const askToRemove = useAskToRemove();
  const mayChange = useMayChange()(schedule);
  const failure = useFailureText()(schedule);
  const held = useHeldText()(schedule);
  const why = failure ?? held;
  const name = contact.name || contact.number;
  const words = { name, time };
  const StateIcon = stateIcons[status];

  return (
    <Root>
      <Event data-status={status}>
        <button type="button" title={`${name}: ${body}`} onClick={() => onOpen(schedule)}>
          <StateIcon aria-hidden size={13} />
          <time>{time}</time>
          <b>{name}</b>
          <small>
            {body}
            {mediaName !== null && <Paperclip aria-hidden size={12} />}
            {isLate && ` · ${t("late")}`}
            {why !== undefined && ` · ${why}`}
          </small>
          <span>{t(`status_${status}`)}</span>
        </button>
        {mayChange && (
          <span data-actions>
            {sentAt === null && (
              <IconButton size="small" label={t("edit", words)} onClick={() => onOpen(schedule)}>
                <Pencil />
              </IconButton>
            )}
            <IconButton size="small" label={t("remove", words)} onClick={() => void askToRemove(schedule)}>
              <Trash2 />
            </IconButton>
          </span>
        )}
      </Event>
    </Root>
  );
}

const Root = styled("div")({
  // for the queries below: the width of a day differs by view and screen
  containerType: "inline-size",
  width: "100%",
  minWidth: 0,
  fontSize: 12,
  lineHeight: "18px",
});
const Event = styled("div")({
  position: "relative",
  display: "flex",
  alignItems: "center",
  minHeight: 22,
  borderRadius: 4,
  color: color.ink,
  backgroundColor: color.accentSoft,
  "&[data-status=ENVIADA]": { backgroundColor: color.chip, color: color.ink2 },
  "&[data-status=ERRO]": { backgroundColor: color.dangerSoft, color: color.danger },
  "& > button": {
    flex: 1,
    minWidth: 0,
    display: "flex",
    alignItems: "center",
    gap: 4,
    padding: "2px 6px",
    border: 0,
    borderRadius: 4,
    background: "none",
    color: "inherit",
    font: "inherit",
    textAlign: "left",
    cursor: "pointer",
  },
  "& > button > svg": { flex: "none" },
  "& time": { flex: "none", fontVariantNumeric: "tabular-nums" },
  "& b, & small": { minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& b": { fontWeight: 600 },
  "& small": { display: "none" },
  "& > button > span": visuallyHidden,
  // over the name in a narrow day, so that nothing moves under the pointer
  "& > [data-actions]": {
    position: "absolute",
    right: 0,
    display: "flex",
    opacity: 0,
    pointerEvents: "none",
    borderRadius: 4,
    backgroundColor: "inherit",
  },
  "&:hover > [data-actions], &:focus-within > [data-actions]": { opacity: 1, pointerEvents: "auto" },
  "@media (hover: none)": { "& > [data-actions]": { display: "none" } },
  "@container (max-width: 110px)": { "& > button": { padding: "2px 4px" }, "& > button > svg": { display: "none" } },
  "@container (max-width: 84px)": { "& time": visuallyHidden },
  // the agenda has room for everything
  "@container (min-width: 240px)": {
    minHeight: 40,
    fontSize: 13,
    "& > button": { flexWrap: "wrap", columnGap: 8, padding: "4px 10px" },
    "& b": { flex: "0 1 auto" },
    "& small": { display: "block", flex: "1 1 160px", fontSize: 12 },
    "& > [data-actions]": { position: "static", display: "flex", opacity: 1, pointerEvents: "auto" },
  },
});

import type { Schedule } from "@prosa/contract/schedules";
import { Paperclip, Pencil, Trash2 } from "lucide-react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Chip } from "#web/ui/Chip.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { useAskToRemove, useFailureText, useMayChange } from "./schedule-actions.ts";
import { scheduleMessages } from "./schedules.i18n.ts";

/** Existing schedules of a contact; the author or an admin may change them until they are sent. */
export function KnownSchedules(props: {
  readonly schedules: readonly Schedule[];
  readonly onEdit: (schedule: Schedule) => void;
}) {
  const t = useMessages(scheduleMessages);
  return props.schedules.length === 0 ? null : (
    <section aria-label={t("known")}>
      <Title>{t("known")}</Title>
      <List>
        {props.schedules.map((schedule) => (
          <KnownSchedule key={schedule.id} schedule={schedule} onEdit={() => props.onEdit(schedule)} />
        ))}
      </List>
    </section>
  );
}

function KnownSchedule({ schedule, onEdit }: { readonly schedule: Schedule; readonly onEdit: () => void }) {
  const { body, sendAt, sentAt, status, isLate, mediaName } = schedule;
  const t = useMessages(scheduleMessages);
  const format = useFormat();
  const askToRemove = useAskToRemove();
  const why = useFailureText()(schedule);
  const mayChange = useMayChange()(schedule);

  return (
    <Row>
      <div>
        <p title={body}>{body}</p>
        <small>
          {format.date(sentAt ?? sendAt)} {format.time(sentAt ?? sendAt)}
          <Chip>{t(`status_${status}`)}</Chip>
          {isLate && <span>{t("late")}</span>}
          {mediaName !== null && (
            <span title={mediaName}>
              <Paperclip aria-hidden size={12} /> {mediaName}
            </span>
          )}
          {why !== undefined && <span>{why}</span>}
        </small>
      </div>
      {mayChange && sentAt === null && (
        <IconButton size="small" label={t("edit", { text: body })} onClick={onEdit}>
          <Pencil />
        </IconButton>
      )}
      {mayChange && (
        <IconButton size="small" label={t("remove", { text: body })} onClick={() => void askToRemove(schedule)}>
          <Trash2 />
        </IconButton>
      )}
    </Row>
  );
}

const Title = styled("h3")({ margin: "0 0 4px", fontSize: 13, fontWeight: 600, color: color.ink2 });
const List = styled("ul")({ listStyle: "none", margin: 0, padding: 0 });
const Row = styled("li")({
  display: "flex",
  alignItems: "center",
  gap: 4,
  padding: "6px 0",
  borderTop: `1px solid ${color.line}`,
  "& > div": { flex: 1, minWidth: 0 },
  "& p": { margin: 0, fontSize: 13, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& small": { display: "flex", flexWrap: "wrap", alignItems: "center", gap: 6, fontSize: 12, color: color.ink2 },
  "& small > span": { maxWidth: "100%", overflow: "hidden", textOverflow: "ellipsis" },
});

import { isAdmin } from "#web/lib/session/permissions.ts";
import type { Schedule } from "@prosa/contract/schedules";
import { Pencil, Trash2 } from "lucide-react";
import { errorWords } from "@prosa/contract/errors.i18n";
import { useFormat } from "#web/lib/text/format.ts";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Chip } from "#web/ui/Chip.tsx";
import { confirm } from "#web/ui/Confirm.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { useRemoveSchedule } from "./schedules.api.ts";
import { scheduleMessages } from "./schedules.i18n.ts";

/** Existing schedules of a contact; the author or an admin may change them until they are sent. */
export function KnownSchedules(props: {
  readonly schedules: readonly Schedule[];
  readonly editedId: number | undefined;
  readonly onEdit: (schedule: Schedule) => void;
}) {
  const t = useMessages(scheduleMessages);
  return props.schedules.length === 0 ? null : (
    <section aria-label={t("known")}>
      <Title>{t("known")}</Title>
      <List>
        {props.schedules.map((schedule) => (
          <KnownSchedule
            key={schedule.id}
            schedule={schedule}
            isEdited={schedule.id === props.editedId}
            onEdit={() => props.onEdit(schedule)}
          />
        ))}
      </List>
    </section>
  );
}

function KnownSchedule(props: {
  readonly schedule: Schedule;
  readonly isEdited: boolean;
  readonly onEdit: () => void;
}) {
  const { id, body, sendAt, sentAt, status, isLate, userId } = props.schedule;
  const t = useMessages(scheduleMessages);
  const format = useFormat();
  const user = useUser();
  const remove = useRemoveSchedule();
  const why = useWhy(props.schedule);
  const mayChange = userId === user.id || isAdmin(user);
  const askAndRemove = () =>
    void confirm({
      title: t("removeTitle"),
      text: t(sentAt === null ? "removeText" : "removeSentText"),
      verb: t("removeVerb"),
      isDangerous: true,
      run: () => remove.mutateAsync(id),
    });

  return (
    <Row data-edited={props.isEdited || undefined}>
      <div>
        <p title={body}>{body}</p>
        <small>
          {format.date(sentAt ?? sendAt)} {format.time(sentAt ?? sendAt)}
          <Chip>{t(`status_${status}`)}</Chip>
          {isLate && <span>{t("late")}</span>}
          {why !== undefined && <span>{why}</span>}
        </small>
      </div>
      {mayChange && sentAt === null && (
        <IconButton size="small" label={t("edit", { text: body })} onClick={props.onEdit}>
          <Pencil />
        </IconButton>
      )}
      {mayChange && (
        <IconButton size="small" label={t("remove", { text: body })} onClick={askAndRemove}>
          <Trash2 />
        </IconButton>
      )}
    </Row>
  );
}

/** Translates known error codes; raw errors of the line are not shown. */
function useWhy({ error }: Schedule): string | undefined {
  const t = useMessages(scheduleMessages);
  const words = errorWords[useLanguage()];
  return error === null ? undefined : error in words ? words[error as keyof typeof words] : t("sendError");
}

const Title = styled("h3")({ margin: "0 0 4px", fontSize: 13, fontWeight: 600, color: color.ink2 });
const List = styled("ul")({ listStyle: "none", margin: 0, padding: 0 });
const Row = styled("li")({
  display: "flex",
  alignItems: "center",
  gap: 4,
  padding: "6px 0",
  borderTop: `1px solid ${color.line}`,
  "&[data-edited]": { backgroundColor: color.accentSoft },
  "& > div": { flex: 1, minWidth: 0 },
  "& p": { margin: 0, fontSize: 13, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& small": { display: "flex", flexWrap: "wrap", alignItems: "center", gap: 6, fontSize: 12, color: color.ink2 },
});

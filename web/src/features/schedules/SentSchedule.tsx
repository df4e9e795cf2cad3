import type { Schedule } from "@prosa/contract/schedules";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { Person } from "#web/ui/Person.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { scheduleMessages } from "./schedules.i18n.ts";

/** A schedule that cannot be changed any more: to whom, what and when. */
export function SentSchedule({ schedule }: { readonly schedule: Schedule }) {
  const { contact, body, sendAt, sentAt, isLate, user } = schedule;
  const t = useMessages(scheduleMessages);
  const format = useFormat();
  const timeOf = (when: string) => `${format.date(when)} ${format.time(when)}`;
  return (
    <Facts>
      <Person name={contact.name || contact.number} image={null}>
        <small>{phoneText(contact.number)}</small>
      </Person>
      <p>{body}</p>
      <small>
        {sentAt === null ? timeOf(sendAt) : t(isLate ? "sentLate" : "sentAt", { time: timeOf(sentAt) })}
        {user && ` · ${t("by", { name: user.name })}`}
      </small>
    </Facts>
  );
}

const Facts = styled("div")({
  display: "grid",
  gap: 12,
  "& > p": {
    margin: 0,
    padding: "10px 12px",
    borderRadius: 8,
    border: `1px solid ${color.ownLine}`,
    backgroundColor: color.own,
    whiteSpace: "pre-wrap",
    overflowWrap: "anywhere",
  },
  "& small": { fontSize: 12, color: color.ink2 },
});

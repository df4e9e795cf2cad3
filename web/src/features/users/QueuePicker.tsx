import { useQuery } from "@tanstack/react-query";
import { useMessages } from "#web/lib/text/i18n.ts";
import { CheckList } from "#web/ui/fields/CheckList.tsx";
import { queueChoices } from "./users.api.ts";
import { userMessages } from "./users.i18n.ts";

/** The queues of a user. */
export function QueuePicker(props: {
  readonly chosen: readonly number[];
  readonly onChange: (queueIds: number[]) => void;
}) {
  const t = useMessages(userMessages);
  const queues = useQuery(queueChoices).data;
  return (
    <CheckList
      label={t("queues")}
      note={queues?.length === 0 ? t("noQueues") : undefined}
      items={queues ?? []}
      chosen={props.chosen}
      onChange={props.onChange}
    />
  );
}

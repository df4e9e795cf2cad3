import type { Announcement } from "@prosa/contract/announcements";
import { Newspaper } from "lucide-react";
import { useEffect, useState } from "react";
import { pagingOf } from "#web/lib/records/resource.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { stripFormatting } from "#web/lib/text/plain-text.ts";
import { useUser } from "#web/lib/session/session.ts";
import { BellHead, BellList, BellEmpty, BellRow } from "#web/ui/BellPanel.tsx";
import { Chip } from "#web/ui/Chip.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { MoreButton } from "#web/ui/MoreButton.tsx";
import { Popover } from "#web/ui/Popover.tsx";
import { ErrorState, ProgressBar } from "#web/ui/states.tsx";
import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";
import { useActiveAnnouncements } from "./announcements.api.ts";
import { announcementMessages } from "./announcements.i18n.ts";
import { Priority, priorityTextKey } from "./Priority.tsx";
import { useSeenAnnouncements } from "./seen-announcements.ts";

const AnnouncementViewer = lateDialog(async () => (await import("./AnnouncementViewer.tsx")).AnnouncementViewer);

/** The announcements bell of the top bar (S-04): a badge of unseen ones, their list, and a viewer. */
export function AnnouncementBell() {
  const t = useMessages(announcementMessages);
  const user = useUser();
  const { rows } = useActiveAnnouncements();
  const { seen, markSeen } = useSeenAnnouncements(user.id);
  const [openedId, setOpenedId] = useState<number>();
  const opened = rows.find(({ id }) => id === openedId);

  return (
    <>
      <Popover
        label={t("bell")}
        opener={(opener) => (
          <IconButton label={t("bell")} badge={rows.filter(({ id }) => !seen.has(id)).length} {...opener}>
            <Newspaper />
          </IconButton>
        )}
      >
        {(close) => (
          <>
            <BellHead>
              <h2>{t("bell")}</h2>
            </BellHead>
            <Announcements
              seen={seen}
              onSeen={markSeen}
              onOpen={(id) => {
                close();
                setOpenedId(id);
              }}
            />
          </>
        )}
      </Popover>
      {opened && <AnnouncementViewer announcement={opened} onClose={() => setOpenedId(undefined)} />}
    </>
  );
}

/** Marks everything it shows as seen; what was unseen when it opened keeps its "new" chip while it is open. */
function Announcements(props: {
  readonly seen: ReadonlySet<number>;
  readonly onSeen: (ids: readonly number[]) => void;
  readonly onOpen: (id: number) => void;
}) {
  const { seen, onSeen } = props;
  const t = useMessages(announcementMessages);
  const query = useActiveAnnouncements({ isFresh: true });
  const [seenBefore] = useState(seen);

  const unseen = query.rows.map(({ id }) => id).filter((id) => !seen.has(id));
  useEffect(() => {
    if (unseen.length > 0) {
      onSeen(unseen);
    }
  });

  if (query.isPending) {
    return <ProgressBar label={t("bell")} />;
  }
  if (query.rows.length === 0) {
    return query.error ? (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <BellEmpty title={t("nothing")} text={t("nothingText")} />
    );
  }
  return (
    <BellList>
      {query.rows.map((row) => (
        <li key={row.id}>
          <AnnouncementRow announcement={row} isNew={!seenBefore.has(row.id)} onOpen={() => props.onOpen(row.id)} />
        </li>
      ))}
      {query.hasNextPage && (
        <li>
          <MoreButton label={t("more")} kind="quiet" {...pagingOf(query)} />
        </li>
      )}
    </BellList>
  );
}

function AnnouncementRow(props: {
  readonly announcement: Announcement;
  readonly isNew: boolean;
  readonly onOpen: () => void;
}) {
  const { title, text, priority, createdAt } = props.announcement;
  const t = useMessages(announcementMessages);
  const format = useFormat();
  return (
    <BellRow
      title={title}
      text={stripFormatting(text)}
      side={
        <>
          <small>{format.listTime(createdAt)}</small>
          {props.isNew && <Chip>{t("fresh")}</Chip>}
        </>
      }
      onOpen={props.onOpen}
    >
      <Priority priority={priority} word={t(priorityTextKey[priority])} />
    </BellRow>
  );
}

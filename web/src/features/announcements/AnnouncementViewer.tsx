import type { Announcement } from "@prosa/contract/announcements";
import { RichText } from "#web/features/messages/index.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { announcementMessages } from "./announcements.i18n.ts";
import { Priority, priorityTextKey } from "./Priority.tsx";

/** Dialog with one announcement: priority, image and text (O-05). */
export function AnnouncementViewer(props: { readonly announcement: Announcement; readonly onClose: () => void }) {
  const { title, text, priority, createdAt, mediaPath, mediaName } = props.announcement;
  const t = useMessages(announcementMessages);
  const format = useFormat();
  return (
    <InfoDialog title={title} onClose={props.onClose}>
      <Facts>
        <Priority priority={priority} word={t(priorityTextKey[priority])} />
        <time dateTime={createdAt}>{format.date(createdAt)}</time>
      </Facts>
      {mediaPath !== null && (
        <Image href={mediaPath} target="_blank" rel="noopener" aria-label={t("image", { name: mediaName ?? "" })}>
          <img src={mediaPath} alt="" />
        </Image>
      )}
      <Text>
        <RichText text={text} />
      </Text>
    </InfoDialog>
  );
}

const Facts = styled("p")({ display: "flex", flexWrap: "wrap", gap: "4px 12px", fontSize: 12, color: color.ink2 });
const Image = styled("a")({
  flex: "none",
  display: "block",
  borderRadius: 8,
  overflow: "hidden",
  backgroundColor: color.chip,
  "& img": {
    display: "block",
    maxWidth: "100%",
    maxHeight: "min(50vh, 420px)",
    margin: "0 auto",
    objectFit: "contain",
  },
});
const Text = styled("div")({ overflowWrap: "anywhere", lineHeight: 1.5 });

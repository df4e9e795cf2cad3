import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { Play } from "lucide-react";
import { memo } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Spinner } from "#web/ui/Button.tsx";
import { color } from "#web/ui/theme.ts";
import type { MessageBubbleProps } from "./MessageBubble.tsx";
import { MessageFrame, MessageMeta, ReactionChips } from "./MessageFrame.tsx";
import { conversationMessages } from "../messages.i18n.ts";
import { MessageMenu } from "./MessageMenu.tsx";
import { RichText } from "../RichText.tsx";
import { unsignedText } from "../unsigned-text.ts";
import { longPressTarget, useLongPressMenu } from "./useLongPressMenu.ts";

const maxTiles = 4;

export interface AlbumBubbleProps extends Omit<MessageBubbleProps, "message" | "isHighlighted"> {
  readonly messages: readonly Message[];
  /** The message that was jumped to. */
  readonly highlightedId: number | undefined;
}

/** Pictures and videos sent together, as up to four tiles; each opens in the lightbox, which also shows the hidden ones (M-04). */
export const AlbumBubble = memo(function AlbumBubble(props: AlbumBubbleProps) {
  const { messages, highlightedId, canWrite, verbs, ...frame } = props;
  const t = useMessages(conversationMessages);
  const [first] = messages;
  const last = messages.at(-1);
  if (!first || !last) {
    return null;
  }
  const captioned = messages.filter(({ body }) => body !== "");
  const shown = messages.slice(0, maxTiles);
  const hiddenCount = messages.length - shown.length;
  const isMoreTile = (index: number) => hiddenCount > 0 && index === maxTiles - 1;
  // a single caption stands below the tiles; several stand on their own tiles
  const [onlyCaptioned] = captioned.length === 1 ? captioned : [];

  return (
    <MessageFrame {...frame} message={first} isHighlighted={false}>
      <Grid role="group" aria-label={t("album", { count: messages.length })} data-tiles={shown.length}>
        {shown.map((message, index) => (
          <AlbumTile
            key={message.id}
            message={message}
            isHighlighted={messagesOfTile(messages, index).some(({ id }) => id === highlightedId)}
            hiddenCount={isMoreTile(index) ? hiddenCount : 0}
            hasCaption={message.body !== "" && message !== onlyCaptioned && !isMoreTile(index)}
            canWrite={canWrite}
            verbs={verbs}
          />
        ))}
      </Grid>
      {onlyCaptioned && (
        <SharedCaption>
          <RichText text={unsignedText(onlyCaptioned)} />
        </SharedCaption>
      )}
      <MessageMeta
        message={{ ...last, ack: Math.min(...messages.map(({ ack }) => ack)) }}
        onHistory={verbs.onHistory}
      />
    </MessageFrame>
  );
});

/** One picture or video; the last tile also shows how many more are hidden. */
function AlbumTile(
  props: Pick<AlbumBubbleProps, "canWrite" | "verbs"> & {
    readonly message: Message;
    readonly isHighlighted: boolean;
    readonly hiddenCount: number;
    readonly hasCaption: boolean;
  },
) {
  const { message, hiddenCount, canWrite, verbs } = props;
  const t = useMessages(conversationMessages);
  const { menu, longPress } = useLongPressMenu();
  return (
    <Tile {...longPress} data-tile={message.id} data-highlighted={props.isHighlighted || undefined}>
      <button
        type="button"
        aria-label={`${t(message.mediaType === "video" ? "openVideo" : "openPhoto")}${hiddenCount > 0 ? ` +${hiddenCount}` : ""}`}
        onClick={() => verbs.onOpenPhoto(message)}
      >
        <Thumbnail message={message} />
        {hiddenCount > 0 && <More>{`+${hiddenCount}`}</More>}
      </button>
      {props.hasCaption && (
        <Caption>
          <RichText text={unsignedText(message)} />
        </Caption>
      )}
      <MessageMenu ref={menu} corner="tile" message={message} canWrite={canWrite} verbs={verbs} />
      <TileReactions>
        <ReactionChips reactions={message.reactions} />
      </TileReactions>
    </Tile>
  );
}

/** The last of four tiles also represents the hidden messages. */
function messagesOfTile(messages: readonly Message[], index: number): readonly Message[] {
  return index === maxTiles - 1 ? messages.slice(index) : messages.slice(index, index + 1);
}

function Thumbnail({ message }: { readonly message: Message }) {
  const t = useMessages(conversationMessages);
  const { mediaUrl, media, mediaType } = message;
  if (mediaUrl === null || (media !== null && media.state !== "ready")) {
    return (
      <Loading style={media?.thumbnail ? { backgroundImage: `url(${media.thumbnail})` } : undefined}>
        <Spinner aria-label={t("waitingMedia")} />
      </Loading>
    );
  }
  return mediaType === "video" ? (
    <>
      {/* 0.1 s into the video: many begin with a black frame */}
      <video src={`${mediaUrl}#t=0.1`} preload="metadata" muted playsInline tabIndex={-1} aria-label={t("video")} />
      <PlayMark aria-hidden>
        <Play />
      </PlayMark>
    </>
  ) : (
    <img src={mediaUrl} alt={unsignedText(message) || t("photo")} loading="lazy" decoding="async" />
  );
}

const Grid = styled("div")({
  display: "grid",
  gridTemplateColumns: "1fr 1fr",
  gap: 3,
  width: 320,
  maxWidth: "100%",
  marginTop: 2,
  "&[data-tiles='3'] > :first-of-type": { gridColumn: "1 / -1", aspectRatio: "2 / 1.1" },
});

const Tile = styled("div")({
  position: "relative",
  minWidth: 0,
  aspectRatio: "1",
  borderRadius: 8,
  backgroundColor: color.chip,
  "&[data-highlighted]": { outline: `2px solid ${color.accent}`, outlineOffset: 1, zIndex: 1 },
  ...longPressTarget,
  "& > button:first-child": {
    position: "absolute",
    inset: 0,
    padding: 0,
    border: 0,
    borderRadius: "inherit",
    overflow: "hidden",
    background: "none",
    cursor: "zoom-in",
  },
  "& img, & video": { display: "block", width: "100%", height: "100%", objectFit: "cover", pointerEvents: "none" },
});

/** In the free corner: below a tile is the next one, at its lower edge its caption. */
const TileReactions = styled("div")({ position: "absolute", top: 6, left: 6, "& > div": { position: "static" } });

const onPicture = { color: "#ffffff", textShadow: "0 1px 2px rgba(0, 0, 0, 0.6)" };

const Caption = styled("div")({
  ...onPicture,
  position: "absolute",
  left: 0,
  right: 0,
  bottom: 0,
  padding: "18px 8px 6px",
  borderRadius: "0 0 8px 8px",
  background: "linear-gradient(transparent, rgba(0, 0, 0, 0.72))",
  fontSize: 12,
  lineHeight: 1.35,
  pointerEvents: "none",
  display: "-webkit-box",
  WebkitBoxOrient: "vertical",
  WebkitLineClamp: 3,
  overflow: "hidden",
  overflowWrap: "anywhere",
  unicodeBidi: "plaintext",
});

const SharedCaption = styled("div")({
  width: 320,
  maxWidth: "100%",
  paddingTop: 6,
  overflowWrap: "anywhere",
  unicodeBidi: "plaintext",
});

const More = styled("span")({
  ...onPicture,
  position: "absolute",
  inset: 0,
  display: "grid",
  placeItems: "center",
  backgroundColor: "rgba(0, 0, 0, 0.5)",
  fontSize: 24,
  fontWeight: 600,
});

const PlayMark = styled("span")({
  position: "absolute",
  inset: 0,
  margin: "auto",
  display: "grid",
  placeItems: "center",
  width: 40,
  height: 40,
  borderRadius: "50%",
  backgroundColor: "rgba(0, 0, 0, 0.55)",
  color: "#ffffff",
  "& svg": { width: 18, height: 18, fill: "currentColor" },
});

const Loading = styled("span")({
  position: "absolute",
  inset: 0,
  display: "grid",
  placeItems: "center",
  backgroundSize: "cover",
  backgroundPosition: "center",
  color: color.ink2,
});

import { styled } from "#web/ui/styled.ts";
import type { Message } from "@prosa/contract/messages";
import { Play } from "lucide-react";
import { memo } from "react";
import { useMessages } from "#web/lib/i18n.ts";
import { Spinner } from "#web/ui/Button.tsx";
import { color } from "#web/ui/theme.ts";
import type { BubbleProps } from "./Bubble.tsx";
import { BubbleFrame, BubbleMeta, Reacted } from "./BubbleFrame.tsx";
import { conversationMessages } from "./messages.i18n.ts";
import { MessageTools } from "./MessageTools.tsx";
import { RichText } from "./RichText.tsx";
import { holdable, shownOnHover, useHold } from "./useHold.ts";

const mostTiles = 4;

export interface AlbumBubbleProps extends Omit<BubbleProps, "message" | "isLit"> {
  readonly messages: readonly Message[];
  /** The message that was jumped to. */
  readonly lit: number | undefined;
}

/** Pictures and videos that came together, as tiles; each opens in the lightbox, which leads on to the hidden ones (M-04). */
export const AlbumBubble = memo(function AlbumBubble(props: AlbumBubbleProps) {
  const { messages, lit, canWrite, verbs, ...frame } = props;
  const t = useMessages(conversationMessages);
  const [first] = messages;
  const last = messages.at(-1);
  if (!first || !last) {
    return null;
  }
  const captioned = messages.filter(({ body }) => body !== "");
  const shown = messages.slice(0, mostTiles);
  const hidden = messages.length - shown.length;
  const isDoor = (index: number) => hidden > 0 && index === mostTiles - 1;
  // one caption speaks for all; several belong to their pictures
  const [single] = captioned.length === 1 ? captioned : [];

  return (
    <BubbleFrame {...frame} message={first} isLit={false}>
      <Grid role="group" aria-label={t("album", { count: messages.length })} data-tiles={shown.length}>
        {shown.map((message, index) => (
          <Picture
            key={message.id}
            message={message}
            isLit={standsFor(messages, index).some(({ id }) => id === lit)}
            hidden={isDoor(index) ? hidden : 0}
            hasCaption={message.body !== "" && message !== single && !isDoor(index)}
            canWrite={canWrite}
            verbs={verbs}
          />
        ))}
      </Grid>
      {single && (
        <Words>
          <RichText text={single.body} />
        </Words>
      )}
      <BubbleMeta message={{ ...last, ack: Math.min(...messages.map(({ ack }) => ack)) }} onHistory={verbs.onHistory} />
    </BubbleFrame>
  );
});

/** A tile; one behind which more are hidden says how many. */
function Picture(
  props: Pick<AlbumBubbleProps, "canWrite" | "verbs"> & {
    readonly message: Message;
    readonly isLit: boolean;
    readonly hidden: number;
    readonly hasCaption: boolean;
  },
) {
  const { message, hidden, canWrite, verbs } = props;
  const t = useMessages(conversationMessages);
  const { tools, held } = useHold();
  return (
    <Tile {...held} data-tile={message.id} data-lit={props.isLit || undefined}>
      <button
        type="button"
        aria-label={`${t(message.mediaType === "video" ? "openVideo" : "openPhoto")}${hidden > 0 ? ` +${hidden}` : ""}`}
        onClick={() => verbs.onOpenPhoto(message)}
      >
        <Face message={message} />
        {hidden > 0 && <More>{`+${hidden}`}</More>}
      </button>
      {props.hasCaption && (
        <Caption>
          <RichText text={message.body} />
        </Caption>
      )}
      <Corner ref={tools}>
        <MessageTools message={message} canWrite={canWrite} verbs={verbs} />
      </Corner>
      <Reacted reactions={message.reactions} />
    </Tile>
  );
}

/** The last tile stands for the hidden pictures as well. */
function standsFor(messages: readonly Message[], index: number): readonly Message[] {
  return index === mostTiles - 1 ? messages.slice(index) : messages.slice(index, index + 1);
}

function Face({ message }: { readonly message: Message }) {
  const t = useMessages(conversationMessages);
  const { mediaUrl, media, mediaType } = message;
  if (mediaUrl === null || (media !== null && media.state !== "ready")) {
    return (
      <Coming style={media?.thumbnail ? { backgroundImage: `url(${media.thumbnail})` } : undefined}>
        <Spinner aria-label={t("waitingMedia")} />
      </Coming>
    );
  }
  return mediaType === "video" ? (
    <>
      {/* a little into it: many begin with black */}
      <video src={`${mediaUrl}#t=0.1`} preload="metadata" muted playsInline tabIndex={-1} aria-label={t("video")} />
      <PlayMark aria-hidden>
        <Play />
      </PlayMark>
    </>
  ) : (
    <img src={mediaUrl} alt={message.body || t("photo")} loading="lazy" decoding="async" />
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
  "&[data-lit]": { outline: `2px solid ${color.accent}`, outlineOffset: 1, zIndex: 1 },
  ...holdable,
  "& > button": {
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

const Corner = styled("div")({
  position: "absolute",
  top: 4,
  right: 4,
  borderRadius: 8,
  backgroundColor: color.raised,
  "&:empty": { display: "none" },
  ...shownOnHover,
});

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
});

const Words = styled("div")({ width: 320, maxWidth: "100%", paddingTop: 6, overflowWrap: "anywhere" });

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

const Coming = styled("span")({
  position: "absolute",
  inset: 0,
  display: "grid",
  placeItems: "center",
  backgroundSize: "cover",
  backgroundPosition: "center",
  color: color.ink2,
});

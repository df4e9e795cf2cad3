import { styled } from "#web/ui/styled.ts";
import type { SimMessage } from "@prosa/contract/simulator";
import { EllipsisVertical, Paperclip, SendHorizontal, X } from "lucide-react";
import { useRef } from "react";
import { Ack, RichText } from "#web/features/messages/index.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ActionMenu, type MenuAction } from "#web/ui/Menu.tsx";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { empty, removed, returned, typed, type Draft, type Drafts } from "./drafts.ts";
import { simulatorMessages } from "./simulator.i18n.ts";

/** The composer of a phone. What is typed right after a message or an edit was sent is a new message. */
export function Writer(props: {
  readonly name: string;
  readonly drafts: Drafts;
  readonly onDrafts: (change: (drafts: Drafts) => Drafts) => void;
  /** Rejects where it was not sent: the words come back, files do not. */
  readonly onSend: (draft: Draft, files: readonly File[]) => Promise<unknown>;
}) {
  const { onDrafts } = props;
  const t = useMessages(simulatorMessages);
  const [draft = empty] = props.drafts;
  const { text, edits } = draft;
  const picker = useRef<HTMLInputElement>(null);
  const send = (files: readonly File[]) => {
    const trimmed = { ...draft, text: text.trim() };
    props.onSend(trimmed, files).catch((error: unknown) => {
      toast.failure(error);
      if (trimmed.text !== "") {
        onDrafts((now) => returned(now, trimmed));
      }
    });
    onDrafts(removed);
  };
  return (
    <form
      // the field anew, which takes the focus
      key={edits?.id ?? "new"}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "") {
          send([]);
        }
      }}
    >
      {edits ? (
        <IconButton label={t("cancel")} onClick={() => onDrafts(removed)}>
          <X />
        </IconButton>
      ) : (
        <IconButton label={t("attach")} onClick={() => picker.current?.click()}>
          <Paperclip />
        </IconButton>
      )}
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        data-testid="phone-attach"
        onChange={(event) => {
          send([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <input
        value={text}
        placeholder={t(edits ? "editing" : "write")}
        aria-label={t("write")}
        autoFocus
        onChange={({ target }) => onDrafts((now) => typed(now, target.value))}
      />
      <IconButton type="submit" label={t("send", { name: props.name })}>
        <SendHorizontal />
      </IconButton>
    </form>
  );
}

export function PhoneBubble(props: {
  readonly message: SimMessage;
  /** Who wrote, in a group. */
  readonly author?: string;
  readonly actions?: readonly MenuAction[];
}) {
  const { message, author, actions = [] } = props;
  const t = useMessages(simulatorMessages);
  const format = useFormat();

  return (
    <Bubble data-own={message.fromMe || undefined} data-sim-message={message.id}>
      {author !== undefined && <strong>{author}</strong>}
      {message.deleted ? <i>{t("deleted")}</i> : <Content message={message} />}
      <small>
        {message.edited && `${t("edited")} · `}
        {format.time(message.at)}
        {message.fromMe && <Ack ack={message.ack} />}
      </small>
      {message.reaction !== "" && <b>{message.reaction}</b>}
      {!message.deleted && actions.length > 0 && (
        <span>
          <ActionMenu
            actions={actions}
            opener={(opener) => (
              <IconButton size="small" label={t("actions")} {...opener}>
                <EllipsisVertical />
              </IconButton>
            )}
          />
        </span>
      )}
    </Bubble>
  );
}

function Content({ message }: { readonly message: SimMessage }) {
  const t = useMessages(simulatorMessages);
  const { kind, mediaUrl, text } = message;
  const words = { text: "", image: t("photo"), audio: t("audio"), video: t("video"), document: t("document") };
  const others = { sticker: t("sticker"), location: t("location"), contact: t("contact"), call: t("callLog") };
  const word = { ...words, ...others }[kind];
  return (
    <>
      {kind === "image" && mediaUrl && <img src={mediaUrl} alt={text || word} />}
      {kind === "sticker" && mediaUrl && <img src={mediaUrl} alt={word} />}
      {kind === "audio" && mediaUrl && <audio src={mediaUrl} controls preload="none" aria-label={word} />}
      {kind === "video" && mediaUrl && <video src={mediaUrl} controls preload="none" aria-label={word} />}
      {kind === "document" && (
        <a href={mediaUrl ?? undefined} download={message.fileName ?? true}>
          {message.fileName ?? word}
        </a>
      )}
      {kind !== "text" && !mediaUrl && <em>{word} </em>}
      <span>
        <RichText text={text} />
      </span>
    </>
  );
}

export const Chat = styled("div")({
  display: "flex",
  flexDirection: "column",
  height: "100%",
  minHeight: 0,
  "& > header": {
    display: "flex",
    alignItems: "center",
    gap: 8,
    padding: "8px 10px",
    borderBottom: `1px solid ${color.line}`,
  },
  "& > header b": { flex: 1, minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& > form": { display: "flex", alignItems: "center", gap: 4, padding: 8, borderTop: `1px solid ${color.line}` },
  "& > form > input:not([hidden])": {
    flex: 1,
    minWidth: 0,
    height: 36,
    padding: "0 14px",
    border: `1px solid ${color.lineStrong}`,
    borderRadius: 18,
    backgroundColor: color.panel,
    outline: 0,
  },
  "& > form > input:focus": { borderColor: color.accent },
});

export const Messages = styled("div")({
  flex: 1,
  minHeight: 0,
  overflowY: "auto",
  display: "flex",
  flexDirection: "column",
  gap: 6,
  padding: 12,
  backgroundColor: color.background,
  "& > p": { margin: "auto", color: color.ink2 },
});

const Bubble = styled("div")({
  position: "relative",
  alignSelf: "flex-start",
  maxWidth: "82%",
  padding: "6px 10px",
  borderRadius: 12,
  border: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  fontSize: 13,
  overflowWrap: "anywhere",
  whiteSpace: "pre-wrap",
  "&[data-own]": { alignSelf: "flex-end", backgroundColor: color.own, borderColor: color.ownLine },
  "& img, & video": { display: "block", maxWidth: 200, maxHeight: 220, borderRadius: 8, marginBottom: 4 },
  "& audio": { width: 210, height: 34 },
  "& small": {
    display: "flex",
    justifyContent: "flex-end",
    alignItems: "center",
    gap: 4,
    fontSize: 11,
    color: color.ink2,
  },
  "& > strong": { display: "block", fontSize: 12, fontWeight: 600, color: color.ink2 },
  "& > b": { position: "absolute", bottom: -9, right: 10 },
  "& > span:last-child": { position: "absolute", top: 2, right: -30, opacity: 0 },
  "&[data-own] > span:last-child": { right: "auto", left: -30 },
  "&:hover > span:last-child, & > span:last-child:focus-within": { opacity: 1 },
  "@media (hover: none)": { "& > span:last-child": { opacity: 1 } },
});

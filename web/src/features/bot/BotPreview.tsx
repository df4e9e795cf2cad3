import { styled } from "#web/ui/styled.ts";
import { FileText, RotateCcw, SendHorizontal } from "lucide-react";
import { useEffect, useRef, useState, type FormEvent } from "react";
import { useConnections } from "#web/features/connections/index.ts";
import { RichText } from "#web/features/messages/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { instantOf } from "#web/lib/text/zoned-time.ts";
import { ColorDot } from "#web/ui/Chip.tsx";
import { Input, SelectField, TextField } from "#web/ui/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { color } from "#web/ui/theme.ts";
import { botMessages } from "./bot.i18n.ts";
import { useBotPreview, type PreviewLine } from "./useBotPreview.ts";

/** Bot preview: the user plays the customer against the real engine, without a line and without storing anything. */
export function BotPreview({ queueId }: { readonly queueId: number }) {
  const t = useMessages(botMessages);
  const { timeZone } = useUser().company;
  const all = useConnections().data;
  const lines = (all ?? []).filter(({ queues }) => queues.some(({ id }) => id === queueId));
  const [connectionId, setConnectionId] = useState<number>();
  const [clock, setClock] = useState("");
  const preview = useBotPreview({ queueId, connectionId, at: instantOf(clock, timeZone) });
  const [text, setText] = useState("");

  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "" && !preview.isThinking) {
      preview.say(text.trim());
      setText("");
    }
  };

  return (
    <Root aria-label={t("preview")}>
      <header>
        <h3>{t("preview")}</h3>
        <IconButton label={t("restart")} size="small" onClick={preview.restart}>
          <RotateCcw />
        </IconButton>
      </header>
      <Choices>
        {all && lines.length === 0 && <p>{t("noConnection")}</p>}
        {lines.length > 0 && (
          <SelectField
            label={t("from")}
            value={connectionId ?? ""}
            onChange={({ target }) => {
              setConnectionId(target.value === "" ? undefined : Number(target.value));
              preview.restart();
            }}
          >
            <option value="">{t("fromQueue")}</option>
            {lines.map(({ id, name }) => (
              <option key={id} value={id}>
                {t("fromConnection", { name })}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label={t("at")}
          hint={clock === "" ? t("now") : undefined}
          type="datetime-local"
          value={clock}
          onChange={({ target }) => {
            setClock(target.value);
            preview.restart();
          }}
        />
      </Choices>
      <Phone>
        <Chat lines={preview.lines} />
        <form onSubmit={send}>
          <Input
            aria-label={t("write")}
            placeholder={t("write")}
            autoComplete="off"
            maxLength={4096}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <IconButton label={t("send")} type="submit" disabled={preview.isThinking}>
            <SendHorizontal />
          </IconButton>
        </form>
      </Phone>
    </Root>
  );
}

function Chat({ lines }: { readonly lines: readonly PreviewLine[] }) {
  const t = useMessages(botMessages);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [lines]);
  return (
    <Scroller ref={scroller} role="log" aria-label={t("preview")} tabIndex={0}>
      {lines.length === 0 && (
        <Note>
          {t("previewHint")} {t("empty")}
        </Note>
      )}
      {lines.map((line, index) => (
        <ChatLine key={index} line={line} />
      ))}
    </Scroller>
  );
}

function ChatLine({ line }: { readonly line: PreviewLine }) {
  const t = useMessages(botMessages);
  switch (line.by) {
    case "customer":
      return (
        <Bubble data-own aria-label={t("you")}>
          {line.text}
        </Bubble>
      );
    case "bot": {
      const { text, mediaName, mediaUrl, mediaType } = line.message;
      return (
        <Bubble aria-label={t("bot")}>
          {mediaName && (
            <a href={mediaUrl ?? undefined} target="_blank" rel="noopener noreferrer">
              {mediaUrl !== null && mediaType?.startsWith("image/") ? (
                <img src={mediaUrl} alt={mediaName} />
              ) : (
                <>
                  <FileText aria-hidden size={15} />
                  {mediaName}
                </>
              )}
            </a>
          )}
          {text && <RichText text={text} />}
        </Bubble>
      );
    }
    case "silence":
      return <Note>{t("silent")}</Note>;
    case "note":
      return (
        <Note>
          {line.queue && (
            <span>
              <ColorDot tint={line.queue.color} size={8} /> {t("inQueue", { name: line.queue.name })}
            </span>
          )}
          {line.outcome !== "bot" && <b>{t(line.outcome)}</b>}
        </Note>
      );
  }
}

const Root = styled("section")({
  display: "flex",
  flexDirection: "column",
  gap: 10,
  minWidth: 0,
  minHeight: 0,
  "& > header": { display: "flex", alignItems: "center", minHeight: 34 },
  "& > header > h3": { flex: 1, fontSize: 13, fontWeight: 600 },
});
const Choices = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 10,
  "& > p": { fontSize: 12, color: color.ink2 },
});
const Phone = styled("div")({
  flex: 1,
  display: "flex",
  flexDirection: "column",
  minHeight: 320,
  border: `1px solid ${color.lineStrong}`,
  borderRadius: 16,
  overflow: "hidden",
  backgroundColor: color.background,
  "& > form": {
    display: "flex",
    gap: 4,
    padding: 8,
    borderTop: `1px solid ${color.line}`,
    backgroundColor: color.panel,
  },
});
const Scroller = styled("div")({
  flex: 1,
  display: "flex",
  flexDirection: "column",
  gap: 6,
  minHeight: 0,
  padding: 12,
  overflowY: "auto",
});
const Bubble = styled("div")({
  alignSelf: "flex-start",
  maxWidth: "86%",
  padding: "7px 10px",
  borderRadius: "4px 12px 12px 12px",
  border: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  fontSize: 13,
  lineHeight: 1.45,
  overflowWrap: "anywhere",
  "&[data-own]": {
    alignSelf: "flex-end",
    borderRadius: "12px 4px 12px 12px",
    borderColor: color.ownLine,
    backgroundColor: color.own,
  },
  "& > a": { display: "flex", alignItems: "center", gap: 6, marginBottom: 4, color: color.accent, fontWeight: 500 },
  "& img": { maxWidth: "100%", maxHeight: 220, borderRadius: 8 },
});
const Note = styled("div")({
  alignSelf: "center",
  display: "flex",
  flexWrap: "wrap",
  justifyContent: "center",
  gap: "2px 10px",
  padding: "4px 12px",
  fontSize: 12,
  textAlign: "center",
  color: color.ink2,
  "& span": { display: "inline-flex", alignItems: "center", gap: 5 },
});

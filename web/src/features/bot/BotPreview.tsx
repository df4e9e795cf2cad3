import { RotateCcw, SendHorizontal } from "lucide-react";
import { useState, type FormEvent } from "react";
import { useConnections } from "#web/features/connections/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { instantOf } from "#web/lib/text/zoned-time.ts";
import { Input, SelectField, TextField } from "#web/ui/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { botMessages } from "./bot.i18n.ts";
import { PreviewChat } from "./PreviewChat.tsx";
import { PreviewTools } from "./PreviewTools.tsx";
import type { PreviewEvent } from "./preview-turns.ts";
import { useBotPreview } from "./useBotPreview.ts";

/** Bot preview: the user plays the customer against the real engine, without a line and without storing anything. */
export function BotPreview({ queueId }: { readonly queueId: number }) {
  const t = useMessages(botMessages);
  const { timeZone } = useUser().company;
  const all = useConnections().data;
  const lines = (all ?? []).filter(({ queues }) => queues.some(({ id }) => id === queueId));
  const [connectionId, setConnectionId] = useState<number>();
  const [clock, setClock] = useState("");
  const preview = useBotPreview({ queueId, connectionId, beginsAt: instantOf(clock, timeZone) });
  const [isClosed, setClosed] = useState(false);
  const [text, setText] = useState("");
  const written = text.trim();

  const play = (happened: PreviewEvent) => {
    preview.play(happened, isClosed);
    if (happened.event === "message" && happened.text !== "") {
      setText("");
    }
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (written !== "") {
      play({ event: "message", kind: "text", text: written });
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
        <PreviewChat turns={preview.turns} isPlaying={preview.isPlaying} />
        <PreviewTools
          caption={written}
          isClosed={isClosed}
          hasBegun={preview.turns.length > 0}
          isResolved={preview.turns.at(-1)?.played?.answer.outcome === "closed"}
          onPlay={play}
          onClosedChange={setClosed}
        />
        <form onSubmit={send}>
          <Input
            aria-label={t("write")}
            placeholder={t("write")}
            autoComplete="off"
            maxLength={4096}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <IconButton label={t("send")} type="submit">
            <SendHorizontal />
          </IconButton>
        </form>
      </Phone>
    </Root>
  );
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
  minHeight: 400,
  border: `1px solid ${color.lineStrong}`,
  borderRadius: 16,
  overflow: "hidden",
  backgroundColor: color.background,
  "& > form": {
    display: "flex",
    gap: 4,
    padding: 8,
    backgroundColor: color.panel,
  },
});

import { SendHorizontal } from "lucide-react";
import { useState, type FormEvent } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Input } from "#web/ui/fields/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { botMessages } from "./bot.i18n.ts";
import { PreviewChat } from "./PreviewChat.tsx";
import { PreviewTools } from "./PreviewTools.tsx";
import type { PreviewEvent } from "./preview-turns.ts";
import { useBotPreview, type PreviewOptions } from "./useBotPreview.ts";

interface PreviewPhoneProps extends PreviewOptions {
  readonly isClosed: boolean;
  readonly onClosedChange: (isClosed: boolean) => void;
}

/** One conversation on the customer's phone; mount it anew (`key`) to begin another. */
export function PreviewPhone({ isClosed, onClosedChange, ...options }: PreviewPhoneProps) {
  const t = useMessages(botMessages);
  const preview = useBotPreview(options);
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
    <Phone>
      <PreviewChat turns={preview.turns} isPlaying={preview.isPlaying} />
      <PreviewTools
        caption={written}
        isClosed={isClosed}
        hasBegun={preview.turns.length > 0}
        isResolved={preview.turns.at(-1)?.played?.answer.outcome === "closed"}
        onPlay={play}
        onClosedChange={onClosedChange}
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
  );
}

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

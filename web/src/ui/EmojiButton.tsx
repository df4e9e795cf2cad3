import { Smile } from "lucide-react";
import { lazy, Suspense } from "react";
import { defineMessages, useMessages } from "#web/lib/i18n.ts";
import { IconButton } from "./IconButton.tsx";
import { Popover } from "./Menu.tsx";
import { ProgressBar } from "./states.tsx";
import { styled } from "./styled.ts";

const EmojiPicker = lazy(async () => ({ default: (await import("./EmojiPicker.tsx")).EmojiPicker }));

/** Opens the emoji; several may be chosen, Escape or a click elsewhere closes. */
export function EmojiButton(props: { readonly onChoose: (emoji: string) => void; readonly disabled?: boolean }) {
  const t = useMessages(messages);
  return (
    <Popover
      label={t("emoji")}
      align="start"
      opener={(opener) => (
        <IconButton label={t("emoji")} disabled={props.disabled ?? false} {...opener}>
          <Smile />
        </IconButton>
      )}
    >
      <Place>
        <Suspense fallback={<ProgressBar label={t("loading")} />}>
          <EmojiPicker onChoose={props.onChoose} />
        </Suspense>
      </Place>
    </Popover>
  );
}

/** As high from the start as it will be: where it opens is decided before it is there. */
const Place = styled("div")({ height: 360 });

const messages = defineMessages({
  pt: { emoji: "Emoji", loading: "Carregando emoji" },
  en: { emoji: "Emoji", loading: "Loading emoji" },
  es: { emoji: "Emoji", loading: "Cargando emoji" },
});

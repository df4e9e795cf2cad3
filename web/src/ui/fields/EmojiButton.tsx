import { Smile } from "lucide-react";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { lateComponent } from "#web/ui/lateComponent.tsx";
import { Popover } from "#web/ui/Popover.tsx";
import { ProgressBar } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";

const EmojiPicker = lateComponent(async () => (await import("./EmojiPicker.tsx")).EmojiPicker, Loading);

/** Opens the emoji picker; several emoji may be chosen, Escape or a click outside closes it. */
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
      {(close) => (
        <PickerSpace>
          <EmojiPicker onChoose={props.onChoose} onClose={close} />
        </PickerSpace>
      )}
    </Popover>
  );
}

function Loading() {
  return <ProgressBar label={useMessages(messages)("loading")} />;
}

/** Reserves the final height while the picker loads: the popover is positioned before that. */
const PickerSpace = styled("div")({ height: 360 });

const messages = defineMessages({
  pt: { emoji: "Emoji", loading: "Carregando emoji" },
  en: { emoji: "Emoji", loading: "Loading emoji" },
  es: { emoji: "Emoji", loading: "Cargando emoji" },
});

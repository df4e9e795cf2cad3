import { useCallback, useState, type DragEvent } from "react";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { conversationMessages, filesFromTransfer } from "#web/features/messages/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";

/** Files dropped anywhere on the conversation are attached in the composer. */
export function useFileDrop(ticketId: number, isOn: boolean) {
  const [isOver, setOver] = useState(false);
  const [files, setFiles] = useStateOf(ticketId, noFiles);
  const clear = useCallback(() => setFiles(noFiles), [setFiles]);
  const carriesFiles = (event: DragEvent) => isOn && event.dataTransfer.types.includes("Files");
  return {
    isOver,
    files,
    clear,
    handlers: {
      onDragEnter: (event: DragEvent) => carriesFiles(event) && setOver(true),
      onDragOver: (event: DragEvent) => carriesFiles(event) && event.preventDefault(),
      onDragLeave: (event: DragEvent) =>
        !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(false),
      onDrop: (event: DragEvent) => {
        if (carriesFiles(event)) {
          event.preventDefault();
          setOver(false);
          setFiles(filesFromTransfer(event.dataTransfer));
        }
      },
    },
  };
}

const noFiles: readonly File[] = [];

/** Lies over the conversation while files are dragged over it. */
export function DropOverlay() {
  const t = useMessages(conversationMessages);
  return <Drop aria-hidden>{t("dropHere")}</Drop>;
}

const Drop = styled("div")({
  position: "absolute",
  inset: 10,
  zIndex: 5,
  display: "grid",
  placeItems: "center",
  borderRadius: 12,
  border: `2px dashed ${color.accent}`,
  backgroundColor: `color-mix(in srgb, ${color.accentSoft} 88%, transparent)`,
  color: color.accent,
  fontSize: 16,
  fontWeight: 600,
  pointerEvents: "none",
});

import { X } from "lucide-react";
import { useId, type ReactNode } from "react";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { Dialog } from "./Dialog.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/tokens.ts";

/** A dialog to read, or with controls that act at once; full screen on a phone. For input that is saved use `FormDialog`. */
export function InfoDialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly width?: "xs" | "sm" | "md";
  /** Buttons at the bottom; the close button is in the head. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const titleId = useId();
  return (
    <Dialog {...(props.width && { width: props.width })} aria-labelledby={titleId} onClose={props.onClose}>
      <DialogHead title={props.title} titleId={titleId} onClose={props.onClose} />
      <Body tabIndex={0} role="group" aria-labelledby={titleId}>
        {props.children}
      </Body>
      {props.actions && <Foot>{props.actions}</Foot>}
    </Dialog>
  );
}

/** The head of every dialog: title and close button. */
export function DialogHead(props: {
  readonly title: string;
  readonly titleId: string;
  readonly onClose: () => void;
  /** Shown before the title: the colour of a queue. */
  readonly mark?: ReactNode;
}) {
  const t = useMessages(messages);
  return (
    <Head>
      {props.mark}
      <h2 id={props.titleId}>{props.title}</h2>
      <IconButton label={t("close")} shortcut="escape" onClick={props.onClose}>
        <X />
      </IconButton>
    </Head>
  );
}

const Head = styled("header")({
  flex: "none",
  display: "flex",
  alignItems: "center",
  gap: 10,
  padding: "12px 12px 12px 20px",
  "& h2": { flex: 1, minWidth: 0, fontSize: 16, fontWeight: 600, overflowWrap: "anywhere" },
  // beside the first line of a long title
  "& > button": { alignSelf: "flex-start" },
});
const Body = styled("div")({
  flex: 1,
  display: "flex",
  flexDirection: "column",
  gap: 16,
  minHeight: 0,
  padding: "4px 20px 20px",
  overflowY: "auto",
  "&:focus-visible": { outlineOffset: -2 },
});
/** The footer of a dialog, with its buttons. */
export const Foot = styled("footer")({
  flex: "none",
  display: "flex",
  flexWrap: "wrap",
  justifyContent: "flex-end",
  gap: 8,
  padding: "12px 20px max(12px, env(safe-area-inset-bottom))",
  borderTop: `1px solid ${color.line}`,
});

const messages = defineMessages({
  pt: { close: "Fechar" },
  en: { close: "Close" },
  es: { close: "Cerrar" },
});

import { useRef, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { useStableCallback } from "#web/lib/browser/useStableCallback.ts";
import { hasHardwareKeyboard } from "#web/lib/browser/hardware-keyboard.ts";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { styled } from "#web/ui/styled.ts";
import { color, media, toastAnchor } from "#web/ui/theme.ts";
import { loadPendingFile } from "../outbox/index.ts";
import type { ComposerMode } from "./composer-focus.ts";
import { FirstMessageNotice } from "./FirstMessageNotice.tsx";
import { ModeSwitch } from "./ComposerMode.tsx";
import { NoteForm } from "./NoteForm.tsx";
import { loadTray } from "./reply/late-parts.tsx";
import { ReplyForm, type ReplyFormProps } from "./reply/ReplyForm.tsx";
import { hasHeldText } from "./text-ahead.ts";
import { useComposerFocus } from "./useComposerFocus.ts";

/** Fetches what shows a chosen file and one that waits to be sent: by then there may be no network. */
export const loadFileParts = () => Promise.all([loadTray(), loadPendingFile()]);

export interface ComposerProps extends ReplyFormProps {
  /** Saves a note for the team. */
  readonly onNote: (note: string) => Promise<unknown>;
  /** Shown above the field: who else is here, what to know before writing. */
  readonly above?: ReactNode;
}

/** Writes replies and notes in one place. It stays mounted from one conversation to the next. */
export function Composer({ above, onNote, ...reply }: ComposerProps) {
  const { ticket, quoted, editing, dropped, onDone } = reply;
  const isPhone = useMedia(media.phone);
  const field = useRef<HTMLTextAreaElement>(null);
  const [chosen, setChosen] = useStateOf<ComposerMode>(ticket.id, "reply");
  const isReplying = quoted !== undefined || editing !== undefined || dropped.length > 0;
  const mode = isReplying ? "reply" : chosen;
  if (mode !== chosen) {
    // Quoting, editing and dropping lead to the reply, and it stays that when they end: a note must never go to the contact, nor
    // a reply be taken for a note (decision 0160).
    setChosen(mode);
  }
  const onMode = useStableCallback((next: ComposerMode) => {
    if (next === "note") {
      // also what the draft would bring back once its message is here: it would take the note's field away
      onDone();
    }
    setChosen(next);
  });

  const focus = (next: ComposerMode) => {
    if (next !== mode) {
      // at once: the next letter is typed before an effect would run
      flushSync(() => onMode(next));
    }
    field.current?.focus();
  };
  useComposerFocus(ticket, (asked) => {
    if (hasHardwareKeyboard() || hasHeldText(ticket)) {
      focus(asked === mode ? "reply" : (asked ?? mode));
    }
  });

  return (
    <Root>
      {above}
      {mode === "reply" && <FirstMessageNotice ticket={ticket} />}
      <Box data-mode={mode}>
        {!editing && !(isPhone && mode === "reply") && <ModeSwitch mode={mode} onMode={onMode} />}
        {mode === "note" ? (
          <NoteForm ticketId={ticket.id} field={field} onSave={onNote} onEscape={reply.onEscape} />
        ) : (
          <ReplyForm {...reply} field={field} onNote={() => focus("note")} />
        )}
      </Box>
    </Root>
  );
}

/** As wide as the conversation's column, and on its background. */
const Root = styled("div")({
  anchorName: toastAnchor,
  flex: "none",
  width: "100%",
  padding: "4px 24px 14px",
  backgroundColor: color.background,
  "& > *": { maxWidth: 760, marginInline: "auto" },
  [media.phone]: { padding: "4px 10px max(10px, env(safe-area-inset-bottom))" },
  [media.phoneKeyboard]: { padding: "0 6px 2px" },
});

const Box = styled("div")({
  position: "relative",
  border: `1px solid ${color.lineStrong}`,
  borderRadius: 10,
  backgroundColor: color.panel,
  "&:focus-within": { borderColor: color.accent, boxShadow: `0 0 0 1px ${color.accent}` },
  "&[data-mode='note']": { borderColor: color.noteLine, backgroundColor: color.note },
  "&[data-mode='note']:focus-within": { borderColor: color.warning, boxShadow: `0 0 0 1px ${color.warning}` },
  [media.phone]: { borderRadius: 25 },
});

import { styled } from "#web/ui/styled.ts";
import { messageRules, type Message } from "@prosa/contract/messages";
import type { QuickMessage } from "@prosa/contract/quick-messages";
import type { Ticket } from "@prosa/contract/tickets";
import { resolveVariables, variableValues, type VariableValues } from "@prosa/contract/variables";
import { X } from "lucide-react";
import {
  lazy,
  Suspense,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { attachmentOf, QuickReplies, useQuickReplies, writingMessages } from "#web/features/quick-messages/index.ts";
import { useLanguage, useMessages } from "#web/lib/i18n.ts";
import { serverNow } from "#web/lib/clock.ts";
import { useUser } from "#web/lib/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { insertAtCursor } from "#web/ui/textCursor.ts";
import { toast } from "#web/ui/Toast.tsx";
import { color, media, toastFloor } from "#web/ui/theme.ts";
import { piecesOf } from "./answer.ts";
import { filesOf } from "./attachments.ts";
import { ComposerAbout } from "./ComposerAbout.tsx";
import { ComposerTools } from "./ComposerTools.tsx";
import { draftOf, keepDraft } from "./drafts.ts";
import { useEditMessage } from "./messages.api.ts";
import { conversationMessages } from "./messages.i18n.ts";
import { outbox } from "./outbox.browser.ts";
import type { NewEntry } from "./outbox.ts";
import { isSigning, keepSigning } from "./signature.ts";
import { useAttachments } from "./useAttachments.ts";
import { useCrossing } from "./useCrossing.ts";
import { useTyping } from "./useTyping.ts";
import { isNextToWrite } from "./write-next.ts";

const AttachmentTray = lazy(async () => ({ default: (await import("./AttachmentTray.tsx")).AttachmentTray }));
const VoiceRecorder = lazy(async () => ({ default: (await import("./voice/VoiceRecorder.tsx")).VoiceRecorder }));

export interface ComposerProps {
  readonly ticket: Ticket;
  readonly quoted: Message | undefined;
  readonly editing: Message | undefined;
  readonly onDone: () => void;
  /** Files that were dropped anywhere on the conversation. */
  readonly dropped: readonly File[];
  readonly onTakenIn: () => void;
  /** Who else is here; shown above the field. */
  readonly presence?: ReactNode;
}

const rowHeight = 21;

/** Where an answer is written: grows to five rows, Enter sends, Shift+Enter breaks (M-05). One per ticket: give it `key={ticket.id}`. */
export function Composer(props: ComposerProps) {
  const { ticket, quoted, editing, onDone, dropped, onTakenIn } = props;
  const t = useMessages(conversationMessages);
  const user = useUser();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => draftOf(ticket.id));
  const [isSigned, setSigned] = useState(isSigning);
  const [isRecording, setRecording] = useState(false);
  const [notice, setNotice] = useState("");
  const files = useAttachments();
  const edit = useEditMessage();
  const writingWords = useMessages(writingMessages);
  const suggestionsId = useId();
  const tellTyping = useTyping(ticket.id);
  const crossing = useCrossing(ticket.id, user.id);
  const { takeIn } = files;

  useEffect(() => {
    if (dropped.length > 0) {
      takeIn(dropped);
      onTakenIn();
      field.current?.focus();
    }
  }, [dropped, onTakenIn, takeIn]);

  useEffect(() => {
    if (editing) {
      setText(editing.body);
    }
    if (editing || quoted) {
      field.current?.focus();
    }
  }, [editing, quoted]);

  useEffect(() => {
    // a finger would have the keyboard of the screen come up unasked
    if (isNextToWrite(ticket.id) && matchMedia("(hover: hover)").matches) {
      field.current?.focus();
    }
  }, [ticket.id]);

  useGrow(field, text, isRecording);
  const valuesNow = useVariables(ticket);

  const write = (next: string) => {
    setText(next);
    if (!editing) {
      keepDraft(ticket.id, next);
      tellTyping(next !== "");
      crossing.wrote(next);
    }
  };
  const clear = () => {
    setText(editing ? draftOf(ticket.id) : "");
    if (!editing) {
      keepDraft(ticket.id, "");
      tellTyping(false);
      crossing.wrote("");
    }
    onDone();
  };

  const insert = (piece: string) => field.current && insertAtCursor(field.current, piece);
  const choose = (quick: QuickMessage) => {
    const words = resolveVariables(quick.message, valuesNow());
    field.current?.focus();
    // what was typed to find it is replaced; what was written for the contact stays
    if (text.trim() === "" || text.startsWith("/")) {
      write(words);
    } else {
      insert(words);
    }
    attachmentOf(quick)
      .then((file) => file && takeIn([file]))
      .catch(() => toast.error(writingWords("fileFailed")));
  };
  const quick = useQuickReplies(text, editing === undefined, choose);
  const post = (pieces: readonly Pick<NewEntry, "body" | "file">[]) =>
    pieces.forEach((piece, index) => {
      const quotedMsgId = index === 0 ? (quoted?.id ?? null) : null;
      void outbox.add({ ...piece, ticketId: ticket.id, userId: user.id, quotedMsgId });
    });
  const saveEdit = (message: Message, body: string) => {
    if (body === "" || body === message.body) {
      clear();
    } else {
      edit.mutate({ messageId: message.id, body }, { onSuccess: clear, onError: (error) => toast.failure(error) });
    }
  };
  const send = () => {
    const values = valuesNow();
    const words = resolveVariables(text, values).trim();
    if (editing) {
      saveEdit(editing, words);
      return;
    }
    const pieces = piecesOf({
      text: words,
      attachments: files.attachments.map((one) => ({ ...one, caption: resolveVariables(one.caption, values) })),
      signature: isSigned ? user.name : undefined,
    });
    if (pieces.length === 0 || !crossing.maySend()) {
      return;
    }
    post(pieces.map(({ body, file }) => ({ body, file: file && { blob: file, name: file.name, isVoice: false } })));
    files.clear();
    clear();
  };
  // What was written stays a draft: the voice goes by itself.
  const sendVoice = (mp3: Blob) => {
    post([{ body: "", file: { blob: mp3, name: voiceName(), isVoice: true } }]);
    onDone();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (quick.onKeyDown(event)) {
      return;
    }
    // Enter while an input method composes chooses a word
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    } else if (event.key === "Escape" && (editing || quoted)) {
      event.stopPropagation();
      clear();
    } else if (event.key === "Escape") {
      // back to where letters are keys: J, K, E
      field.current?.blur();
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = filesOf(event.clipboardData);
    if (pasted.length > 0 && !editing) {
      event.preventDefault();
      takeIn(pasted);
    }
  };
  const about = editing ?? quoted;

  return (
    <Root>
      {props.presence}
      {crossing.colleague && (
        <Crossing role="alert">
          <span>{t("answeredMeanwhile", { name: crossing.colleague.name })}</span>
          <Button onClick={send}>{t("sendAnyway")}</Button>
        </Crossing>
      )}
      <Box>
        <QuickReplies
          id={suggestionsId}
          found={quick.found}
          index={quick.index}
          onPoint={quick.move}
          onChoose={choose}
        />
        {notice !== "" && (
          <Notice role="alert">
            <span>{notice}</span>
            <IconButton size="small" label={t("close")} onClick={() => setNotice("")}>
              <X />
            </IconButton>
          </Notice>
        )}
        {about && <ComposerAbout message={about} isEditing={editing !== undefined} onCancel={clear} />}
        {files.attachments.length + files.refusals.length > 0 && (
          <Suspense>
            <AttachmentTray
              attachments={files.attachments}
              refusals={files.refusals}
              onChange={files.change}
              onDismiss={files.dismiss}
            />
          </Suspense>
        )}
        {isRecording ? (
          <Suspense fallback={<RecorderRoom />}>
            <VoiceRecorder
              onRecorded={sendVoice}
              onClose={(words) => {
                setRecording(false);
                setNotice(words);
              }}
            />
          </Suspense>
        ) : (
          <>
            <Field
              ref={field}
              rows={1}
              value={text}
              placeholder={t("write")}
              aria-label={t("writeLabel")}
              aria-autocomplete="list"
              {...(quick.found.length > 0 && {
                "aria-controls": suggestionsId,
                "aria-activedescendant": `${suggestionsId}-${quick.index}`,
              })}
              maxLength={messageRules.maxBody}
              onChange={(event) => write(event.target.value)}
              onKeyDown={onKeyDown}
              onPaste={onPaste}
            />
            <ComposerTools
              isEditing={editing !== undefined}
              isSaving={edit.isPending}
              isSigned={isSigned}
              onSign={(isOn) => {
                setSigned(isOn);
                keepSigning(isOn);
              }}
              onFiles={takeIn}
              onEmoji={insert}
              onQuickReply={choose}
              onVariable={(name) => insert(valuesNow()[name])}
              onRecord={() => {
                setNotice("");
                setRecording(true);
              }}
              onSend={send}
            />
          </>
        )}
      </Box>
    </Root>
  );
}

/** Under which a recording is kept. */
function voiceName(): string {
  return `voz-${new Date(serverNow()).toISOString().slice(0, 19).replace(/\D/gu, "")}.mp3`;
}

/** What the variables of a text are worth in this conversation, now (M-13). */
function useVariables(ticket: Ticket): () => VariableValues {
  const { company } = useUser();
  const language = useLanguage();
  return () =>
    variableValues({
      contactName: ticket.contact.name,
      protocol: ticket.protocol,
      now: new Date(serverNow()),
      timeZone: company.timeZone,
      language,
    });
}

/** Grows with its text up to five rows (specification 1, section 9). */
function useGrow(field: React.RefObject<HTMLTextAreaElement | null>, text: string, isAway: boolean): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (element) {
      element.style.height = "auto";
      element.style.height = `${Math.min(element.scrollHeight, messageRules.maxRows * rowHeight + 16)}px`;
    }
  }, [field, text, isAway]);
}

const Root = styled("div")({
  anchorName: toastFloor,
  padding: "8px 14px 12px",
  borderTop: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  [media.phone]: { padding: "6px 8px max(8px, env(safe-area-inset-bottom))" },
});

const Box = styled("div")({
  position: "relative",
  border: `1px solid ${color.lineStrong}`,
  borderRadius: 10,
  backgroundColor: color.panel,
  "&:focus-within": { borderColor: color.accent, boxShadow: `0 0 0 1px ${color.accent}` },
});

const Field = styled("textarea")({
  display: "block",
  width: "100%",
  padding: "10px 14px 6px",
  border: 0,
  outline: 0,
  resize: "none",
  background: "none",
  fontSize: 14,
  lineHeight: `${rowHeight}px`,
  "&::placeholder": { color: color.ink2, opacity: 0.85 },
  "@media (pointer: coarse)": { fontSize: 16 },
});

const Crossing = styled("div")({
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  gap: 8,
  flexWrap: "wrap",
  padding: "4px 4px 6px",
  fontSize: 13,
  color: color.danger,
});

/** Beside what it is about: a toast would lie over the buttons to try again. */
const Notice = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  margin: "8px 8px 0",
  padding: "4px 4px 4px 10px",
  borderRadius: 8,
  backgroundColor: color.dangerSoft,
  color: color.danger,
  fontSize: 13,
  "& > span": { flex: 1, minWidth: 0 },
});

/** As high as the recorder: nothing jumps while it comes. */
const RecorderRoom = styled("div")({ minHeight: 54 });

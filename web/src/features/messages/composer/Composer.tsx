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
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import {
  fetchAttachment,
  QuickReplies,
  useQuickReplies,
  quickReplyMessages,
} from "#web/features/quick-messages/index.ts";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { drafts, useDraft } from "#web/lib/browser/drafts.ts";
import { useTypedLetters } from "#web/lib/browser/useTypedLetters.ts";
import { insertAtCursor } from "#web/ui/textCursor.ts";
import { toast } from "#web/ui/Toast.tsx";
import { color, media, toastAnchor } from "#web/ui/theme.ts";
import { ComposerTools } from "./ComposerTools.tsx";
import { hasHardwareKeyboard, useComposerFocus } from "./composer-focus.ts";
import { ReplyPreview } from "./ReplyPreview.tsx";
import { useEditMessage } from "../messages.api.ts";
import { conversationMessages } from "../messages.i18n.ts";
import { outbox, type NewEntry } from "../outbox/index.ts";
import { isSignatureOn, saveSignatureSwitch } from "./signature.ts";
import { laterReply, type LaterReply } from "./send-later.ts";
import { splitReply } from "./split-reply.ts";
import { filesFromTransfer } from "./transferred-files.ts";
import { rowHeight, useAutoGrow } from "./useAutoGrow.ts";
import { useAttachments } from "./useAttachments.ts";
import { useReplyCollision } from "./useReplyCollision.ts";
import { useTyping } from "./useTyping.ts";

const AttachmentTray = lazy(async () => ({ default: (await import("./AttachmentTray.tsx")).AttachmentTray }));
const VoiceRecorder = lazy(async () => ({ default: (await import("../voice/index.ts")).VoiceRecorder }));

export interface ComposerProps {
  readonly ticket: Ticket;
  readonly quoted: Message | undefined;
  readonly editing: Message | undefined;
  /** Sent, saved or cancelled: nothing is quoted or edited any more. */
  readonly onDone: () => void;
  /** Escape, with nothing left to close: the focus goes back to where the conversation was chosen. */
  readonly onEscape: () => void;
  /** Files that were dropped anywhere on the conversation. */
  readonly dropped: readonly File[];
  /** The dropped files are attached. */
  readonly onDropAttached: () => void;
  /** Schedules the reply instead of sending it. Undefined where the plan has no schedules. */
  readonly onLater?: ((reply: LaterReply) => void) | undefined;
  /** Presence of colleagues and the contact; shown above the field. */
  readonly presence?: ReactNode;
}

/** Writes a reply: grows to five rows, Enter sends, Shift+Enter breaks the line (M-05). One per ticket: give it `key={ticket.id}`. */
export function Composer(props: ComposerProps) {
  const { ticket, quoted, editing, onDone, dropped, onDropAttached } = props;
  const t = useMessages(conversationMessages);
  const user = useUser();
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft("ticket", ticket.id);
  const [edited, setEdited] = useState("");
  const text = editing ? edited : draft.text;
  const [isSigned, setSigned] = useState(isSignatureOn);
  const [isRecording, setRecording] = useState(false);
  const [notice, setNotice] = useState("");
  const files = useAttachments();
  const edit = useEditMessage();
  const quickReplyTexts = useMessages(quickReplyMessages);
  const suggestionsId = useId();
  const sendTyping = useTyping(ticket.id);
  const collision = useReplyCollision(ticket.id, user.id);
  const { add: addFiles } = files;

  useEffect(() => {
    if (dropped.length > 0) {
      addFiles(dropped);
      onDropAttached();
      field.current?.focus();
    }
  }, [dropped, onDropAttached, addFiles]);

  useEffect(() => {
    if (editing) {
      setEdited(editing.body);
    }
    if (editing || quoted) {
      field.current?.focus();
    }
  }, [editing, quoted]);

  useComposerFocus(ticket.id, () => hasHardwareKeyboard() && field.current?.focus());

  useAutoGrow(field, text, isRecording);
  const currentValues = useVariables(ticket);

  const write = (next: string) => {
    if (editing) {
      setEdited(next);
    } else {
      drafts.write("ticket", ticket.id, { text: next });
      sendTyping(next !== "");
      collision.onTextChange(next);
    }
  };
  const clear = () => {
    if (!editing) {
      drafts.write("ticket", ticket.id, { text: "" });
      sendTyping(false);
      collision.onTextChange("");
    }
    onDone();
  };

  const insert = (inserted: string) => field.current && insertAtCursor(field.current, inserted);
  const choose = (quick: QuickMessage) => {
    const resolved = resolveVariables(quick.message, currentValues());
    field.current?.focus();
    // replaces the "/" search that found it; keeps a text for the contact
    if (text.trim() === "" || text.startsWith("/")) {
      write(resolved);
    } else {
      insert(resolved);
    }
    fetchAttachment(quick)
      .then((file) => file && addFiles([file]))
      .catch(() => toast.error(quickReplyTexts("fileFailed")));
  };
  const quick = useQuickReplies(text, editing === undefined, choose);
  const post = (messages: readonly Pick<NewEntry, "body" | "file">[]) =>
    messages.forEach((message, index) => {
      const quotedMsgId = index === 0 ? (quoted?.id ?? null) : null;
      void outbox.add({ ...message, ticketId: ticket.id, userId: user.id, quotedMsgId });
    });
  const saveEdit = (message: Message, body: string) => {
    if (body === "" || body === message.body) {
      clear();
    } else {
      edit.mutate({ messageId: message.id, body }, { onSuccess: clear, onError: (error) => toast.failure(error) });
    }
  };
  const send = () => {
    const values = currentValues();
    const body = resolveVariables(text, values).trim();
    if (editing) {
      saveEdit(editing, body);
      return;
    }
    const messages = splitReply({
      text: body,
      attachments: files.attachments.map((one) => ({ ...one, caption: resolveVariables(one.caption, values) })),
      signature: isSigned ? user.name : undefined,
    });
    if (messages.length === 0 || !collision.checkBeforeSend()) {
      return;
    }
    post(
      messages.map(({ file, ...message }) => ({
        ...message,
        file: file && { blob: file, name: file.name, isVoice: false },
      })),
    );
    files.clear();
    clear();
  };
  const later = () => {
    const reply = laterReply(text, files.attachments, (left) => {
      files.keep(left);
      clear();
    });
    props.onLater?.(reply);
  };
  // The text stays a draft: the voice message is sent without it.
  const sendVoice = (mp3: Blob) => {
    post([{ body: "", file: { blob: mp3, name: voiceFileName(), isVoice: true } }]);
    onDone();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (quick.onKeyDown(event)) {
      return;
    }
    // Enter during IME composition chooses a word
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    } else if (event.key === "Escape" && (editing || quoted)) {
      event.stopPropagation();
      clear();
    } else if (event.key === "Escape" && !event.nativeEvent.isComposing) {
      // back to the list, where letters are shortcuts: J, K, E
      event.preventDefault();
      props.onEscape();
    }
  };
  /** True if the paste was files. */
  const pasteFiles = (data: DataTransfer | null) => {
    const pasted = editing ? [] : filesFromTransfer(data);
    addFiles(pasted);
    return pasted.length > 0;
  };
  const onPaste = (event: ClipboardEvent) => pasteFiles(event.clipboardData) && event.preventDefault();
  useTypedLetters(field, ({ clipboardData }) => {
    if (!pasteFiles(clipboardData)) {
      insert(clipboardData?.getData("text/plain") ?? "");
    }
  });
  const referenced = editing ?? quoted;

  return (
    <Root>
      {props.presence}
      {collision.colleague && (
        <CollisionWarning role="alert">
          <span>{t("answeredMeanwhile", { name: collision.colleague.name })}</span>
          <Button onClick={send}>{t("sendAnyway")}</Button>
        </CollisionWarning>
      )}
      <Box>
        <QuickReplies
          id={suggestionsId}
          found={quick.found}
          index={quick.index}
          onHighlight={quick.move}
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
        {referenced && <ReplyPreview message={referenced} isEditing={editing !== undefined} onCancel={clear} />}
        {files.attachments.length + files.rejected.length > 0 && (
          <Suspense>
            <AttachmentTray
              attachments={files.attachments}
              rejected={files.rejected}
              onChange={files.change}
              onDismiss={files.dismiss}
            />
          </Suspense>
        )}
        {isRecording ? (
          <Suspense fallback={<RecorderPlaceholder />}>
            <VoiceRecorder
              onRecorded={sendVoice}
              onClose={(reason) => {
                setRecording(false);
                setNotice(reason);
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
                saveSignatureSwitch(isOn);
              }}
              onFiles={addFiles}
              onEmoji={insert}
              onQuickReply={choose}
              variables={currentValues}
              onVariable={(name) => insert(currentValues()[name])}
              onRecord={() => {
                setNotice("");
                setRecording(true);
              }}
              onSend={send}
              onLater={props.onLater && !editing ? later : undefined}
            />
          </>
        )}
      </Box>
    </Root>
  );
}

/** The file name of a voice recording. */
function voiceFileName(): string {
  return `voz-${new Date(serverNow()).toISOString().slice(0, 19).replace(/\D/gu, "")}.mp3`;
}

/** A function that gives the current values of the variables in this conversation (M-13). */
function useVariables(ticket: Ticket): () => VariableValues {
  const { company, name: userName } = useUser();
  const language = useLanguage();
  return () =>
    variableValues({
      contactName: ticket.contact.name,
      protocol: ticket.protocol,
      queueName: ticket.queue?.name ?? null,
      userName,
      companyName: company.name,
      now: new Date(serverNow()),
      timeZone: company.timeZone,
      language,
    });
}

const Root = styled("div")({
  anchorName: toastAnchor,
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

const CollisionWarning = styled("div")({
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  gap: 8,
  flexWrap: "wrap",
  padding: "4px 4px 6px",
  fontSize: 13,
  color: color.danger,
});

/** Inside the composer: a toast would cover the buttons that record again. */
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

/** As high as the recorder: no layout shift when it loads. */
const RecorderPlaceholder = styled("div")({ minHeight: 54 });

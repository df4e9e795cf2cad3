import type { Message } from "@prosa/contract/messages";
import type { QuickMessage } from "@prosa/contract/quick-messages";
import type { Ticket } from "@prosa/contract/tickets";
import { resolveVariables } from "@prosa/contract/variables";
import { X } from "lucide-react";
import {
  Suspense,
  useEffect,
  useId,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import {
  fetchAttachment,
  QuickReplies,
  useQuickReplies,
  useQuickReplyTarget,
  quickReplyMessages,
} from "#web/features/quick-messages/index.ts";
import { isSendKey } from "#web/lib/browser/field-keys.ts";
import { hasHardwareKeyboard } from "#web/lib/browser/hardware-keyboard.ts";
import { isPopupOpen } from "#web/lib/browser/key-owner.ts";
import { drafts, useDraft } from "#web/lib/browser/drafts.ts";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { useTypedLetters } from "#web/lib/browser/useTypedLetters.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { useUser } from "#web/lib/session/session.ts";
import { useVariableValues } from "#web/lib/session/useVariableValues.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { insertAtCursor } from "#web/ui/fields/textCursor.ts";
import { toast } from "#web/ui/Toast.tsx";
import { media } from "#web/ui/theme.ts";
import { conversationMessages } from "#web/features/messages/messages.i18n.ts";
import { unsignedText } from "#web/features/messages/unsigned-text.ts";
import { ComposerField } from "#web/features/messages/composer/ComposerField.tsx";
import { ComposerTools } from "#web/features/messages/composer/ComposerTools.tsx";
import { composerMessages } from "#web/features/messages/composer/composer.i18n.ts";
import { AttachmentTray, VoiceRecorder } from "./late-parts.tsx";
import { excessLetters } from "./length.ts";
import { PhoneTools } from "#web/features/messages/composer/PhoneTools.tsx";
import { postReply } from "./post-reply.ts";
import { ReplyPreview } from "./ReplyPreview.tsx";
import { CollisionWarning, Notice } from "./reply-styles.ts";
import { laterReply, type LaterReply } from "./send-later.ts";
import { isSignatureOn, saveSignatureSwitch } from "./signature.ts";
import { splitReply } from "./split-reply.ts";
import { filesFromPaste } from "#web/features/messages/composer/files/transferred-files.ts";
import { takeOutOf } from "#web/features/messages/composer/files/reply-files.ts";
import { useAttachments } from "#web/features/messages/composer/files/useAttachments.ts";
import { useComingFiles } from "./useComingFiles.ts";
import { useReplyCollision } from "./useReplyCollision.ts";
import { useSaveEdit } from "./useSaveEdit.ts";
import { useTyping } from "#web/features/messages/composer/useTyping.ts";

export interface ReplyFormProps {
  readonly ticket: Ticket;
  readonly quoted: Message | undefined;
  readonly editing: Message | undefined;
  /** As of `Reference`: each choice takes the focus. */
  readonly choices: number;
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
  /** The button for drafts of a language model, which writes into the draft. */
  readonly assist?: ReactNode;
}

/** A reply to the contact: grows to five rows, Enter sends, Shift+Enter breaks the line (M-05). */
export function ReplyForm(
  props: ReplyFormProps & {
    readonly field: RefObject<HTMLTextAreaElement | null>;
    /** Writes a note instead; on a phone from the menu. */
    readonly onNote: (() => void) | undefined;
  },
) {
  const { ticket, quoted, editing, choices, onDone, dropped, onDropAttached, field } = props;
  const t = useMessages(conversationMessages);
  const texts = useMessages(composerMessages);
  const quickReplyTexts = useMessages(quickReplyMessages);
  const format = useFormat();
  const user = useUser();
  const isPhone = useMedia(media.phone);
  const draft = useDraft("ticket", ticket.id);
  const editDraft = useDraft("edit", editing?.id ?? 0);
  // an empty draft is none: then the field would show the message again
  const [isEmptied, setEmptied] = useStateOf(editing?.id ?? 0, false);
  const text = editing ? editDraft.text || (isEmptied ? "" : unsignedText(editing)) : draft.text;
  const [isSigned, setSigned] = useStateOf(ticket.id, isSignatureOn);
  const [isRecording, setRecording] = useStateOf(ticket.id, false);
  const [notice, setNotice] = useStateOf(ticket.id, "");
  const files = useAttachments(ticket.id);
  const edit = useSaveEdit(ticket, editing, onDone);
  const suggestionsId = useId();
  const sendTyping = useTyping(ticket.id);
  const collision = useReplyCollision(ticket.id, user.id);
  const { add: addFiles } = files;
  // comes back when the edit is saved
  const signature = editing ? editing.body.slice(0, editing.body.length - unsignedText(editing).length) : "";

  useEffect(() => {
    if (dropped.length > 0) {
      addFiles(dropped);
      onDropAttached();
      field.current?.focus();
    }
  }, [dropped, onDropAttached, addFiles, field]);

  useEffect(() => {
    if (choices > 0) {
      field.current?.focus();
    }
  }, [choices, field]);

  const valuesOf = useVariableValues();
  const currentValues = () =>
    valuesOf({
      contactName: ticket.contact.name,
      protocol: ticket.protocol,
      queueName: ticket.queue?.name ?? null,
    });
  const write = (next: string) => {
    if (editing) {
      drafts.write("edit", editing.id, { text: next });
      setEmptied(next === "");
    } else {
      drafts.write("ticket", ticket.id, { text: next });
      sendTyping(next !== "");
      coming.stopWaiting();
    }
  };
  /** Cancelling a quote keeps the text; cancelling an edit drops the change. */
  const cancel = () => {
    if (editing) {
      drafts.write("edit", editing.id, { text: "" });
    }
    onDone();
  };
  const clear = () => {
    drafts.write("ticket", ticket.id, { text: "" });
    sendTyping(false);
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
    coming.expect(fetchAttachment(quick), files.attach);
  };
  const quick = useQuickReplies(text, editing === undefined, choose);
  useQuickReplyTarget(choose);
  const post = (messages: Parameters<typeof postReply>[0]) =>
    postReply(messages, { ticketId: ticket.id, userId: user.id, quotedMsgId: quoted?.id ?? null });
  const compose = (): ReturnType<typeof splitReply> => {
    const values = currentValues();
    const body = resolveVariables(text, values).trim();
    if (editing) {
      return [{ body: `${signature}${body}`, file: null }];
    }
    return splitReply({
      text: body,
      attachments: files.attachments.map((one) => ({ ...one, caption: resolveVariables(one.caption, values) })),
      signature: isSigned ? user.name : undefined,
    });
  };
  const excess = excessLetters(text, compose);
  const send = () => {
    const messages = compose();
    // it is said above the text, which stays
    if (messages.length === 0 || excess.count > 0) {
      return;
    }
    if (editing) {
      const body = messages[0]?.body ?? "";
      if (body === signature || body === editing.body) {
        cancel();
      } else {
        void edit.save(editing, body);
      }
      return;
    }
    if (!collision.checkBeforeSend()) {
      return;
    }
    const isTaken = post(
      messages.map(({ file, ...message }) => ({
        ...message,
        file: file && { blob: file, name: file.name, isVoice: false },
      })),
    );
    if (isTaken) {
      files.clear();
      clear();
    }
  };
  const later = () => {
    const reply = laterReply(text, files.attachments, (scheduled) => {
      if (scheduled) {
        void takeOutOf(ticket.id, scheduled.id);
      }
      // Saved late: what was typed since stays.
      if (drafts.read("ticket", ticket.id).text === text) {
        clear();
      }
    });
    props.onLater?.(reply);
  };
  const onFailure = () => toast.error(quickReplyTexts("fileFailed"));
  const coming = useComingFiles(ticket.id, editing !== undefined, { send, later, onFailure });
  const submit = (verb: "send" | "later") => quick.takeOver() || coming.whenHere(verb);
  // The text stays a draft: the voice message is sent without it.
  const sendVoice = (mp3: Blob) => {
    if (post([{ body: "", file: { blob: mp3, name: voiceFileName(), isVoice: true } }])) {
      onDone();
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (quick.onKeyDown(event)) {
      return;
    }
    // Enter and Escape during IME composition choose or drop a word; the emoji stay open while some are chosen
    if (event.nativeEvent.isComposing || (event.key === "Escape" && isPopupOpen())) {
      return;
    }
    if (isSendKey(event)) {
      submit("send");
    } else if (event.key === "Escape" && (editing || quoted)) {
      event.preventDefault();
      event.stopPropagation();
      cancel();
    } else if (event.key === "Escape") {
      event.preventDefault();
      props.onEscape();
    }
  };
  /** True if the paste was files. */
  const pasteFiles = (data: DataTransfer | null) => {
    const pasted = editing ? [] : filesFromPaste(data);
    addFiles(pasted);
    return pasted.length > 0;
  };
  useTypedLetters(field, ({ clipboardData }) => {
    if (!pasteFiles(clipboardData)) {
      insert(clipboardData?.getData("text/plain") ?? "");
    }
  });
  const referenced = editing ?? quoted;
  const hasContent = text.trim() !== "" || files.attachments.length > 0 || editing !== undefined;
  const Tools = isPhone ? PhoneTools : ComposerTools;

  return (
    <>
      {collision.colleague && (
        <CollisionWarning role="alert">
          <span>{t("answeredMeanwhile", { name: collision.colleague.name })}</span>
          <Button onClick={() => submit("send")}>{t("sendAnyway")}</Button>
        </CollisionWarning>
      )}
      <QuickReplies
        id={suggestionsId}
        found={quick.found}
        index={quick.index}
        onHighlight={quick.move}
        onChoose={choose}
        onClose={quick.dismiss}
      />
      {excess.count > 0 && (
        <Notice role="alert">
          {texts("tooLong", {
            count: excess.count,
            excess: format.number(excess.count),
            limit: format.number(excess.limit),
          })}
        </Notice>
      )}
      {notice !== "" && (
        <Notice role="alert">
          <span>{notice}</span>
          <IconButton size="small" label={t("close")} onClick={() => setNotice("")}>
            <X />
          </IconButton>
        </Notice>
      )}
      {referenced && <ReplyPreview message={referenced} isEditing={editing !== undefined} onCancel={cancel} />}
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
        <VoiceRecorder
          onRecorded={sendVoice}
          onClose={(reason?: string) => {
            setRecording(false);
            setNotice(reason ?? "");
          }}
        />
      ) : (
        <Tools
          name={user.name}
          isEditing={editing !== undefined}
          isBusy={coming.isWaiting || edit.isSaving}
          hasContent={hasContent}
          isSigned={isSigned}
          onSign={(isOn) => {
            setSigned(isOn);
            saveSignatureSwitch(isOn);
          }}
          onFiles={(chosen) => {
            addFiles(chosen);
            // Enter sends them; on the button it would open the file dialog again
            if (hasHardwareKeyboard()) {
              field.current?.focus();
            }
          }}
          onEmoji={insert}
          onQuickReply={choose}
          onSearchQuickReply={() => {
            field.current?.focus();
            write("/");
          }}
          variables={currentValues}
          onVariable={(name) => insert(currentValues()[name])}
          onRecord={() => {
            setNotice("");
            setRecording(true);
          }}
          onSend={() => submit("send")}
          onLater={props.onLater && !editing ? () => submit("later") : undefined}
          onNote={editing ? undefined : props.onNote}
          assist={props.assist}
        >
          <ComposerField
            ref={field}
            value={text}
            placeholder={isPhone ? texts("writePhone") : t("write")}
            aria-label={t("writeLabel")}
            aria-autocomplete="list"
            {...(quick.found.length > 0 && {
              "aria-controls": suggestionsId,
              "aria-activedescendant": `${suggestionsId}-${quick.index}`,
            })}
            onChange={(event) => write(event.target.value)}
            onKeyDown={onKeyDown}
            onPaste={(event: ClipboardEvent) => pasteFiles(event.clipboardData) && event.preventDefault()}
          />
        </Tools>
      )}
    </>
  );
}

/** The file name of a voice recording. */
function voiceFileName(): string {
  return `voz-${new Date(serverNow()).toISOString().slice(0, 19).replace(/\D/gu, "")}.mp3`;
}

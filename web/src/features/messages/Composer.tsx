import { styled } from "#web/ui/styled.ts";
import { messageRules, type Message } from "@prosa/contract/messages";
import type { QuickMessage } from "@prosa/contract/quick-messages";
import type { Ticket } from "@prosa/contract/tickets";
import { resolveVariables, variableValues, type VariableValues } from "@prosa/contract/variables";
import { useQueryClient } from "@tanstack/react-query";
import { Paperclip, X } from "lucide-react";
import { useEffect, useId, useRef, useState, type ClipboardEvent, type KeyboardEvent, type ReactNode } from "react";
import {
  attachmentOf,
  QuickReplies,
  useQuickReplies,
  VariableButton,
  writingMessages,
} from "#web/features/quick-messages/index.ts";
import { useFormat } from "#web/lib/format.ts";
import { useLanguage, useMessages } from "#web/lib/i18n.ts";
import { serverNow, useUser } from "#web/lib/session.ts";
import { tellServer } from "#web/lib/socket.ts";
import { Button } from "#web/ui/Button.tsx";
import { EmojiButton } from "#web/ui/EmojiButton.tsx";
import { Switch } from "#web/ui/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { insertAtCursor } from "#web/ui/textCursor.ts";
import { toast } from "#web/ui/Toast.tsx";
import { Tooltip } from "#web/ui/Tooltip.tsx";
import { color, media } from "#web/ui/theme.ts";
import { addFiles, attachmentLimits, filesOf, release, type Attachment } from "./attachments.ts";
import { AttachmentTray } from "./AttachmentTray.tsx";
import { quotedText } from "./Bubble.tsx";
import { colleagueWhoAnswered } from "./crossing.ts";
import { draftOf, keepDraft } from "./drafts.ts";
import { useEditMessage } from "./messages.api.ts";
import { messageKeys, type MessagePages } from "./messages.cache.ts";
import { conversationMessages } from "./messages.i18n.ts";
import { outbox } from "./outbox.browser.ts";
import { isSigning, keepSigning, signed } from "./signature.ts";

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
/** "Is typing" is told at most this often (ms). */
const typingEvery = 3_000;

/** Where an answer is written: grows to five rows, Enter sends, Shift+Enter breaks (M-05). One per ticket: give it `key={ticket.id}`. */
export function Composer(props: ComposerProps) {
  const { ticket, quoted, editing, onDone, dropped, onTakenIn } = props;
  const t = useMessages(conversationMessages);
  const user = useUser();
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(() => draftOf(ticket.id));
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const [isSigned, setSigned] = useState(isSigning);
  const edit = useEditMessage();
  const writingWords = useMessages(writingMessages);
  const suggestionsId = useId();
  const tellTyping = useTyping(ticket.id);
  const crossing = useCrossing(ticket.id, user.id);
  const takeIn = useTakeIn(setAttachments);

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

  useGrow(field, text);
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

  const choose = (quick: QuickMessage) => {
    write(resolveVariables(quick.message, valuesNow()));
    field.current?.focus();
    attachmentOf(quick)
      .then((file) => file && takeIn([file]))
      .catch(() => toast.error(writingWords("fileFailed")));
  };
  const quick = useQuickReplies(text, editing === undefined, choose);
  const insert = (piece: string) => field.current && insertAtCursor(field.current, piece);

  const send = () => {
    const values = valuesNow();
    const body = resolveVariables(text, values).trim();
    if (editing) {
      if (body !== "" && body !== editing.body) {
        edit.mutate({ messageId: editing.id, body }, { onSuccess: clear, onError: (error) => toast.failure(error) });
      } else {
        clear();
      }
      return;
    }
    // empty text is not sent (specification 1, section 2)
    if (body === "" && attachments.length === 0) {
      return;
    }
    if (!crossing.maySend()) {
      return;
    }
    const base = { ticketId: ticket.id, userId: user.id };
    const withName = (words: string) => (isSigned ? signed(words, user.name) : words);
    let quotedMsgId = quoted?.id ?? null;
    const put = (words: string, file: Attachment["file"] | null) => {
      void outbox.add({
        ...base,
        body: withName(words),
        file: file && { blob: file, name: file.name, isVoice: false },
        quotedMsgId,
      });
      quotedMsgId = null;
    };
    attachments.forEach(({ file, caption }, index) =>
      put(resolveVariables(caption, values).trim() || (index === 0 ? body : ""), file),
    );
    // a text beside files that all carry their own captions is a message of its own
    if (body !== "" && (attachments.length === 0 || attachments[0]?.caption.trim())) {
      put(body, null);
    }
    release(attachments);
    setAttachments([]);
    clear();
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
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = filesOf(event.clipboardData);
    if (files.length > 0) {
      event.preventDefault();
      takeIn(files);
    }
  };

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
        {(quoted || editing) && (
          <About>
            <span>
              <b>{editing ? t("editing") : quoted?.fromMe ? t("you") : (quoted?.contact?.name ?? "")}</b>
              <span>{quotedText(editing ?? quoted ?? emptyQuote, t)}</span>
            </span>
            <IconButton size="small" label={t("cancel")} onClick={clear}>
              <X />
            </IconButton>
          </About>
        )}
        {attachments.length > 0 && <AttachmentTray attachments={attachments} onChange={setAttachments} />}
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
        <Tools>
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            data-testid="attach-input"
            onChange={(event) => {
              takeIn([...(event.target.files ?? [])]);
              event.target.value = "";
            }}
          />
          <IconButton label={t("attach")} onClick={() => picker.current?.click()} disabled={editing !== undefined}>
            <Paperclip />
          </IconButton>
          <EmojiButton onChoose={insert} />
          <VariableButton onChoose={(name) => insert(valuesNow()[name])} />
          <Tooltip text={t("signHint")}>
            <Sign>
              <Switch
                checked={isSigned}
                onChange={(event) => {
                  setSigned(event.target.checked);
                  keepSigning(event.target.checked);
                }}
              />
              <span>{t("sign")}</span>
            </Sign>
          </Tooltip>
          <Push />
          <Button kind="primary" shortcut="enter" isBusy={edit.isPending} onClick={send}>
            {t(editing ? "saveEdit" : "send")}
          </Button>
        </Tools>
      </Box>
    </Root>
  );
}

const emptyQuote = { body: "", mediaType: "chat" } as const;

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

/** Takes files in and says which could not be taken. */
function useTakeIn(setAttachments: (change: (before: readonly Attachment[]) => readonly Attachment[]) => void) {
  const t = useMessages(conversationMessages);
  const format = useFormat();
  const latest = useRef<(files: readonly File[]) => void>(() => undefined);
  useEffect(() => {
    latest.current = (files) => {
      setAttachments((before) => {
        const { attachments, refusals } = addFiles(before, files);
        const [first] = refusals;
        if (first) {
          toast.error(
            first.why === "tooLarge"
              ? t("tooLarge", { name: first.name, limit: format.bytes(attachmentLimits.maxBytes) })
              : t("tooMany", { count: attachmentLimits.maxFiles }),
          );
        }
        return attachments;
      });
    };
  });
  const [stable] = useState(() => (files: readonly File[]) => latest.current(files));
  return stable;
}

/** Stops the first attempt to send when a colleague answered since the writing began; the second one goes. */
function useCrossing(ticketId: number, myId: number) {
  const queryClient = useQueryClient();
  const beganAt = useRef(draftOf(ticketId) === "" ? undefined : serverNow());
  const [colleague, setColleague] = useState<{ readonly name: string }>();
  return {
    colleague,
    wrote(text: string) {
      beganAt.current = text === "" ? undefined : (beganAt.current ?? serverNow());
      if (text === "") {
        setColleague(undefined);
      }
    },
    maySend(): boolean {
      const pages = queryClient.getQueryData<MessagePages>(messageKeys.of(ticketId))?.pages ?? [];
      const newest = pages[0]?.messages ?? [];
      const found = colleague ? undefined : colleagueWhoAnswered(newest, beganAt.current, myId);
      setColleague(found);
      return found === undefined;
    },
  };
}

/** Tells colleagues and the contact that somebody writes, and that they stopped. */
function useTyping(ticketId: number) {
  const toldAt = useRef(0);
  useEffect(() => () => void (toldAt.current > 0 && tellServer("typing", ticketId, false)), [ticketId]);
  return (isTyping: boolean) => {
    const now = Date.now();
    if (!isTyping && toldAt.current > 0) {
      toldAt.current = 0;
      tellServer("typing", ticketId, false);
    } else if (isTyping && now - toldAt.current > typingEvery) {
      toldAt.current = now;
      tellServer("typing", ticketId, true);
    }
  };
}

/** Grows with its text up to five rows (specification 1, section 9). */
function useGrow(field: React.RefObject<HTMLTextAreaElement | null>, text: string): void {
  useEffect(() => {
    const element = field.current;
    if (element) {
      element.style.height = "auto";
      element.style.height = `${Math.min(element.scrollHeight, messageRules.maxRows * rowHeight + 16)}px`;
    }
  }, [field, text]);
}

const Root = styled("div")({
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

const Tools = styled("div")({ display: "flex", alignItems: "center", gap: 2, padding: "2px 8px 8px 6px" });
const Push = styled("span")({ flex: 1 });
const Sign = styled("label")({
  display: "inline-flex",
  alignItems: "center",
  gap: 6,
  marginLeft: 6,
  fontSize: 13,
  color: color.ink2,
  cursor: "pointer",
});

const About = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  margin: "8px 8px 0",
  padding: "4px 4px 4px 10px",
  borderLeft: `3px solid ${color.accent}`,
  borderRadius: 6,
  backgroundColor: color.chip,
  fontSize: 13,
  "& > span": { flex: 1, minWidth: 0, display: "flex", flexDirection: "column" },
  "& b": { fontSize: 12, color: color.accent },
  "& > span > span": { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap", color: color.ink2 },
});

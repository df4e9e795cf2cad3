import { agentAssistRules, translationLanguages, type TranslationLanguage } from "@prosa/contract/agent-assist";
import { noteRules } from "@prosa/contract/notes";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { requestComposerFocus, writeReplyDraft } from "#web/features/messages/index.ts";
import { useAddNote } from "#web/features/notes/index.ts";
import { errorText } from "#web/lib/api/errors.i18n.ts";
import { drafts } from "#web/lib/browser/drafts.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { TextArea } from "#web/ui/fields/Field.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { ProgressBar } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { useCopy } from "#web/ui/useCopy.ts";
import { askAssist, type AssistTask } from "./agent-assist.api.ts";
import { assistMessages } from "./agent-assist.i18n.ts";
import { placeOf } from "./place-of.ts";

interface AssistDialogProps {
  readonly ticketId: number;
  readonly contactId: number;
  readonly task: AssistTask;
  readonly onClose: () => void;
}

/** A draft of a language model: awaited or cancelled, read, changed, and used or not. The text in the composer stays until it is used. */
export function AssistDialog({ ticketId, contactId, task, onClose }: AssistDialogProps) {
  const t = useMessages(assistMessages);
  const own = useLanguage();
  const copy = useCopy();
  const area = useRef<HTMLTextAreaElement>(null);
  const isReceived = task.kind === "translate" && task.text === undefined;
  // a received text into one's own language, a draft into another
  const [language, setLanguage] = useState<TranslationLanguage>(
    task.kind !== "translate" || isReceived ? own : own === "en" ? "pt" : "en",
  );
  const [text, setText] = useState("");
  const waiting = useRef<AbortController>(undefined);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async (into: TranslationLanguage) => {
      waiting.current?.abort();
      waiting.current = new AbortController();
      const askedAt = serverNow();
      const answer = await askAssist(ticketId, task, { language: into, signal: waiting.current.signal });
      return { ...answer, askedAt };
    },
    onSuccess: (draft) => setText(draft.text),
  });
  useEffect(() => {
    mutate(language);
    return () => waiting.current?.abort();
    // asked once; another language asks again itself
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the first question only
  }, []);

  // to be read and changed at once; not if somebody went on to another control meanwhile
  useEffect(() => {
    if (data && document.activeElement?.getAttribute("role") === "dialog") {
      area.current?.focus();
    }
  }, [data]);

  const use = () => {
    const before = drafts.read("ticket", ticketId).text.trim();
    // a suggestion takes nothing away; a rewritten text is in the place of the old
    const isAdded = task.kind === "reply" && before !== "";
    writeReplyDraft(ticketId, isAdded ? `${before}\n${text}` : text, data?.askedAt ?? serverNow());
    onClose();
    requestComposerFocus(ticketId);
  };
  const heading = task.kind === "rewrite" ? task.tone : isReceived ? "translateReceived" : task.kind;
  const isDraft = task.kind !== "summary" && !isReceived;
  return (
    <InfoDialog
      title={t(heading)}
      width="sm"
      onClose={onClose}
      actions={
        data === undefined || isPending ? (
          <Button onClick={onClose}>{t("cancel")}</Button>
        ) : (
          <>
            <Button onClick={() => void copy(text, t("copied"), area.current)}>{t("copy")}</Button>
            {task.kind === "summary" && <KeepNote {...{ ticketId, contactId, text, onClose }} />}
            {isDraft && (
              <Button kind="primary" disabled={text.trim() === ""} onClick={use}>
                {t("use")}
              </Button>
            )}
          </>
        )
      }
    >
      {task.kind === "translate" && (
        <SelectField
          label={t("language")}
          value={language}
          onChange={({ target }) => {
            const into = translationLanguages.find((one) => one === target.value) ?? language;
            setLanguage(into);
            mutate(into);
          }}
        >
          {translationLanguages.map((one) => (
            <option key={one} value={one}>
              {nameOf(one, own)}
            </option>
          ))}
        </SelectField>
      )}
      {isPending && (
        <Waiting role="status">
          <ProgressBar label={t("thinking")} />
          {t("thinking")}
        </Waiting>
      )}
      {error && !isPending && (
        <Failure role="alert">
          <p>{errorText(error, own)}</p>
          <Button onClick={() => mutate(language)}>{t("again")}</Button>
        </Failure>
      )}
      {data && !isPending && (
        <>
          <TextArea
            ref={area}
            label={t(isReceived ? "translation" : "draft")}
            hint={isReceived ? undefined : t("draftHint")}
            style={{ minHeight: 160 }}
            maxLength={agentAssistRules.maxText}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          {data.sources.length > 0 && (
            <Sources>{t("sources", { sources: data.sources.map((one) => placeOf(one, t)).join("; ") })}</Sources>
          )}
        </>
      )}
    </InfoDialog>
  );
}

function KeepNote(props: Omit<AssistDialogProps, "task"> & { readonly text: string }) {
  const t = useMessages(assistMessages);
  const add = useAddNote();
  const { ticketId, contactId, onClose } = props;
  const note = props.text.trim().slice(0, noteRules.maxLetters);
  const keep = async () => {
    try {
      // Awaited, it is told wherever the user is by then. What closes the dialog is called only while that is open: another one, which
      // was opened later, stays.
      await add.mutateAsync({ ticketId, contactId, note }, { onSuccess: onClose });
      toast.success(t("noteKept"));
    } catch (error) {
      toast.failure(error);
    }
  };
  return (
    <Button
      kind="primary"
      isBusy={add.isPending}
      disabled={note.length < noteRules.minLetters}
      onClick={() => void keep()}
    >
      {t("keepNote")}
    </Button>
  );
}

/** "inglês" → "Inglês". */
function nameOf(language: TranslationLanguage, own: string): string {
  const name = new Intl.DisplayNames([own], { type: "language" }).of(language) ?? language;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const Waiting = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 10,
  padding: "16px 0",
  fontSize: 13,
  color: color.ink2,
});
const Failure = styled("div")({
  display: "flex",
  flexDirection: "column",
  alignItems: "flex-start",
  gap: 10,
  fontSize: 13,
  color: color.danger,
});
const Sources = styled("p")({ marginTop: 8, fontSize: 12, color: color.ink2, overflowWrap: "anywhere" });

import { noteRules } from "@prosa/contract/notes";
import { SendHorizontal } from "lucide-react";
import type { KeyboardEvent, RefObject } from "react";
import { isLeaveKey, isSendKey } from "#web/lib/browser/field-keys.ts";
import { isPopupOpen } from "#web/lib/browser/key-owner.ts";
import { useStateOf } from "#web/lib/browser/useStateOf.ts";
import { drafts, useDraft } from "#web/lib/browser/drafts.ts";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { useTypedLetters } from "#web/lib/browser/useTypedLetters.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { EmojiButton } from "#web/ui/fields/EmojiButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { insertAtCursor } from "#web/ui/fields/textCursor.ts";
import { color, media } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { ComposerField } from "./ComposerField.tsx";
import { Push, Tools } from "./ComposerTools.tsx";
import { composerMessages } from "./composer.i18n.ts";
import { Pill } from "./PhoneTools.tsx";
import { RoundButton } from "./RoundButton.tsx";

/** A note for the team on this conversation (T-21): the contact never sees it. Enter saves it, and a second one can follow. */
export function NoteForm(props: {
  readonly ticketId: number;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly onSave: (note: string) => Promise<unknown>;
  readonly onEscape: () => void;
}) {
  const { ticketId, field } = props;
  const texts = useMessages(composerMessages);
  const isPhone = useMedia(media.phone);
  const { text } = useDraft("note", ticketId);
  const [isSaving, setSaving] = useStateOf(ticketId, false);
  const [isTooShort, setTooShort] = useStateOf(ticketId, false);
  const write = (next: string) => {
    setTooShort(false);
    drafts.write("note", ticketId, { text: next });
  };
  const insert = (inserted: string) => field.current && insertAtCursor(field.current, inserted);
  useTypedLetters(field, ({ clipboardData }) => insert(clipboardData?.getData("text/plain") ?? ""));

  const save = async () => {
    const note = text.trim();
    if (isSaving || note.length < noteRules.minLetters) {
      setTooShort(!isSaving);
      return;
    }
    setSaving(true);
    try {
      await props.onSave(note);
      drafts.takeStored("note", ticketId, text);
      toast.success(texts("noteSaved"));
    } catch (error) {
      toast.failure(error);
    } finally {
      setSaving(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isSendKey(event)) {
      void save();
    } else if (isLeaveKey(event) && !isPopupOpen()) {
      event.preventDefault();
      props.onEscape();
    }
  };
  const area = (
    <ComposerField
      key={ticketId}
      ref={field}
      value={text}
      maxLength={noteRules.maxLetters}
      placeholder={texts(isPhone ? "noteLabel" : "writeNote")}
      aria-label={texts("noteLabel")}
      aria-invalid={isTooShort || undefined}
      onChange={(event) => write(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
  return (
    <>
      {isTooShort && <TooShort role="alert">{texts("noteShort", { count: noteRules.minLetters })}</TooShort>}
      {isPhone ? (
        <Pill>
          <Indent />
          {area}
          <EmojiButton onChoose={insert} />
          <RoundButton
            label={texts("saveNote")}
            isBusy={isSaving}
            icon={<SendHorizontal />}
            onClick={() => void save()}
          />
        </Pill>
      ) : (
        <>
          {area}
          <Tools>
            <EmojiButton onChoose={insert} />
            <Push />
            <Button kind="primary" shortcut="enter" isBusy={isSaving} onClick={() => void save()}>
              {texts("saveNote")}
            </Button>
          </Tools>
        </>
      )}
    </>
  );
}

const TooShort = styled("p")({ padding: "6px 14px 0", fontSize: 12, color: color.danger });
const Indent = styled("span")({ width: 10 });

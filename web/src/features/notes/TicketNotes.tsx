import { styled } from "#web/ui/styled.ts";
import { noteRules, type Note } from "@prosa/contract/notes";
import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useRef, useState, type FormEvent } from "react";
import { drafts, useDraft } from "#web/lib/browser/drafts.ts";
import { isLeaveKey, isSendKey } from "#web/lib/browser/field-keys.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { findingText } from "@prosa/contract/validation.i18n";
import { Button } from "#web/ui/Button.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { DrawerSection, EditLink } from "#web/ui/DrawerSection.tsx";
import { TextArea } from "#web/ui/fields/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { Skeleton } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { color } from "#web/ui/theme.ts";
import { notesOptions, useAddNote, useRemoveNote } from "./notes.api.ts";
import { noteMessages } from "./notes.i18n.ts";

/** The team's notes on a ticket, with author and time; the contact never sees them (T-21). */
export function TicketNotes(props: { readonly ticketId: number; readonly contactId: number }) {
  const t = useMessages(noteMessages);
  const query = useQuery(notesOptions(props.ticketId));
  const [isWriting, setWriting] = useState(false);
  const [returnsFocus, setReturnsFocus] = useState(false);
  const close = (hadFocus: boolean) => {
    setReturnsFocus(hadFocus);
    setWriting(false);
  };
  const notes = query.data ?? [];

  return (
    <DrawerSection
      title={t("title")}
      action={
        !isWriting && (
          <EditLink
            type="button"
            autoFocus={returnsFocus}
            aria-label={`${t("add")}: ${t("title")}`}
            onClick={() => setWriting(true)}
          >
            {t("add")}
          </EditLink>
        )
      }
      isEmpty={!isWriting && query.isSuccess && notes.length === 0}
      emptyText={t("none")}
      isList
    >
      {isWriting && <NoteForm {...props} onDone={close} />}
      {query.isPending && <Skeleton style={{ width: "70%" }} />}
      {notes.map((note) => (
        <NoteRow key={note.id} note={note} ticketId={props.ticketId} />
      ))}
    </DrawerSection>
  );
}

function NoteForm(props: {
  readonly ticketId: number;
  readonly contactId: number;
  /** `hadFocus`: return the focus to the add button. Without a focus the next letters would be shortcuts that resolve or transfer. */
  readonly onDone: (hadFocus: boolean) => void;
}) {
  const t = useMessages(noteMessages);
  const language = useLanguage();
  // The draft of the composer's note: what was typed survives Escape, another conversation and a reload.
  const { text } = useDraft("note", props.ticketId);
  const setText = (next: string) => drafts.write("note", props.ticketId, { text: next });
  const [isSubmitted, setSubmitted] = useState(false);
  const add = useAddNote();
  const form = useRef<HTMLFormElement>(null);
  const done = () => {
    const { activeElement, body } = document;
    props.onDone(activeElement === body || form.current?.contains(activeElement) === true);
  };
  const note = text.trim();
  const isShort = note.length < noteRules.minLetters;

  const save = async (event?: FormEvent) => {
    event?.preventDefault();
    setSubmitted(true);
    // A second Enter while saving adds no second note.
    if (isShort || add.isPending) {
      return;
    }
    const { ticketId, contactId } = props;
    try {
      // Awaited: callbacks of `mutate` are not called once the form is gone, as with another conversation.
      await add.mutateAsync({ ticketId, contactId, note });
    } catch (error) {
      toast.failure(error);
      return;
    }
    toast.success(t("added"));
    setSubmitted(false);
    if (drafts.takeStored("note", ticketId, text) === "") {
      done();
    }
  };

  return (
    <Form ref={form} onSubmit={(event) => void save(event)}>
      <TextArea
        label={t("write")}
        rows={2}
        autoFocus
        maxLength={noteRules.maxLetters}
        value={text}
        error={
          isSubmitted && isShort
            ? findingText(
                {
                  message: "",
                  code: "too_small",
                  origin: "string",
                  minimum: noteRules.minLetters,
                  isEmpty: note === "",
                },
                language,
              )
            : undefined
        }
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (isSendKey(event)) {
            void save();
          } else if (isLeaveKey(event)) {
            event.stopPropagation();
            done();
          }
        }}
      />
      <footer>
        <Button kind="quiet" onClick={done}>
          {t("cancel")}
        </Button>
        <Button kind="primary" type="submit" isBusy={add.isPending}>
          {t("save")}
        </Button>
      </footer>
    </Form>
  );
}

function NoteRow({ note, ticketId }: { readonly note: Note; readonly ticketId: number }) {
  const t = useMessages(noteMessages);
  const format = useFormat();
  const user = useUser();
  const remove = useRemoveNote(ticketId);
  const mayRemove = isAdmin(user) || note.user?.id === user.id;
  const removeAfterConfirm = () =>
    void confirm({
      title: t("removeTitle"),
      text: note.note,
      verb: t("removeVerb"),
      isDangerous: true,
      run: () => remove.mutateAsync(note.id),
    }).then((isDone) => isDone && toast.success(t("removed")));

  return (
    <Row>
      <p>{note.note}</p>
      <small>
        {note.user?.name ?? t("somebody")} · {format.date(note.createdAt)} {format.time(note.createdAt)}
      </small>
      {mayRemove && (
        <span>
          <IconButton size="small" label={t("remove")} onClick={removeAfterConfirm}>
            <Trash2 />
          </IconButton>
        </span>
      )}
    </Row>
  );
}

const Form = styled("form")({
  display: "flex",
  flexDirection: "column",
  gap: 8,
  "& footer": { display: "flex", justifyContent: "flex-end", gap: 6 },
});
const Row = styled("article")({
  position: "relative",
  padding: "8px 36px 8px 10px",
  border: `1px solid ${color.noteLine}`,
  borderRadius: 8,
  backgroundColor: color.note,
  fontSize: 13,
  "& p": { whiteSpace: "pre-wrap", overflowWrap: "anywhere", unicodeBidi: "plaintext" },
  "& small": { fontSize: 12, color: color.ink2 },
  "& > span": { position: "absolute", top: 4, right: 4 },
});

import { styled } from "#web/ui/styled.ts";
import { chatRules, type Chat, type ChatBody } from "@prosa/contract/chats";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useUser } from "#web/lib/session/session.ts";
import { Input, TextField } from "#web/ui/fields/Field.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { matchLabels } from "#web/ui/select/labels.ts";
import { Person } from "#web/ui/Person.tsx";
import { Skeleton } from "#web/ui/states.tsx";
import { color } from "#web/ui/theme.ts";
import { colleaguesOptions } from "#web/features/users/index.ts";
import { useSaveChat } from "./chats.api.ts";
import { chatMessages } from "./chats.i18n.ts";

/** Creates a chat, or changes its title and members (O-06). */
export function ChatDialog(props: {
  readonly chat: Chat | undefined;
  /** The first member of a new chat. */
  readonly withId?: number | undefined;
  readonly onSaved: (chat: Chat) => void;
  readonly onClose: () => void;
}) {
  const { chat, withId, onSaved, onClose } = props;
  const t = useMessages(chatMessages);
  const { id: userId } = useUser();
  const save = useSaveChat();
  const users = chat?.users.filter((member) => member.userId !== userId).map((member) => ({ id: member.userId }));
  return (
    <FormDialog<ChatBody>
      title={chat ? t("edit") : t("addLong")}
      values={{ title: chat?.title ?? "", users: users ?? (withId === undefined ? [] : [{ id: withId }]) }}
      schema={() =>
        import("#schemas/chats").then(({ chatBody }) =>
          // whose colleagues were all deleted: it keeps its history, and its title can be changed
          users?.length === 0 ? chatBody.pick({ title: true }) : chatBody,
        )
      }
      savedText={t("saved")}
      onClose={onClose}
      onSave={async (whole, changed) => onSaved(await save.mutateAsync({ id: chat?.id, whole, changed }))}
    >
      {(form, errorOf) => (
        <>
          <TextField
            label={t("titleField")}
            maxLength={chatRules.maxTitle}
            autoComplete="off"
            error={errorOf("title") && t("titleMissing")}
            {...form.register("title")}
          />
          <MemberPicker
            chosen={form.watch("users").map(({ id }) => id)}
            error={errorOf("users") && t("peopleMissing")}
            onChange={(ids) =>
              form.setValue(
                "users",
                ids.map((id) => ({ id })),
                { shouldDirty: true, shouldValidate: form.formState.isSubmitted },
              )
            }
          />
        </>
      )}
    </FormDialog>
  );
}

/** Checkboxes of all colleagues, filtered by a search. */
function MemberPicker(props: {
  readonly chosen: readonly number[];
  readonly error: string | undefined;
  readonly onChange: (ids: readonly number[]) => void;
}) {
  const { chosen, error, onChange } = props;
  const t = useMessages(chatMessages);
  const noteId = useId();
  const { id: userId } = useUser();
  const [text, setText] = useState("");
  const { data } = useQuery(colleaguesOptions);
  const colleagues = data?.filter(({ id }) => id !== userId) ?? [];
  const found = matchLabels(colleagues, text);
  const toggle = (id: number) =>
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);

  return (
    <Group aria-describedby={error === undefined ? undefined : noteId}>
      <legend>
        {t("people")} {chosen.length > 0 && <span>{chosen.length}</span>}
      </legend>
      <Input
        type="search"
        autoComplete="off"
        value={text}
        aria-label={t("peopleSearch")}
        placeholder={t("peopleSearch")}
        onChange={(event) => setText(event.target.value)}
        // Enter in the search does not submit the form
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      <Rows>
        {data === undefined && <Skeleton style={{ width: "60%", margin: 12 }} />}
        {found.map(({ id, name }) => (
          <label key={id}>
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            <Person name={name} />
          </label>
        ))}
        {data && found.length === 0 && <p>{t(colleagues.length === 0 ? "peopleEmpty" : "peopleNone")}</p>}
      </Rows>
      {error !== undefined && (
        <FieldError id={noteId} role="alert">
          {error}
        </FieldError>
      )}
    </Group>
  );
}

const Group = styled("fieldset")({
  display: "flex",
  flexDirection: "column",
  gap: 6,
  minWidth: 0,
  margin: 0,
  padding: 0,
  border: 0,
  "& legend": { padding: 0, marginBottom: 4, fontSize: 13, fontWeight: 500 },
  "& legend span": { color: color.ink2, fontWeight: 400 },
});
const Rows = styled("div")({
  maxHeight: 260,
  overflowY: "auto",
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  "& label": { display: "flex", alignItems: "center", gap: 10, minHeight: 40, padding: "4px 10px", cursor: "pointer" },
  "& label:hover": { backgroundColor: color.hover },
  "& label > span": { minWidth: 0 },
  "& input": { flex: "none", width: 16, height: 16, margin: 0, accentColor: color.accent },
  "& p": { padding: "10px 12px", color: color.ink2 },
});
const FieldError = styled("p")({ fontSize: 12, lineHeight: 1.35, color: color.danger });

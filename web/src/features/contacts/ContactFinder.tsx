import { styled } from "#web/ui/styled.ts";
import type { ContactSummary } from "@prosa/contract/contacts";
import { useQuery } from "@tanstack/react-query";
import { UserPlus, X } from "lucide-react";
import { useId, useState, type KeyboardEvent } from "react";
import { useDebounced } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Field, Input } from "#web/ui/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { color } from "#web/ui/theme.ts";
import { contactLookupOptions, searchFrom } from "./contacts.api.ts";
import { contactMessages } from "./contacts.i18n.ts";

/** Combobox that searches a contact; with `onCreate` it offers to create one of a name that no contact has (T-15). */
export function ContactFinder(props: {
  readonly chosen: ContactSummary | undefined;
  readonly error?: string | undefined;
  readonly onChoose: (contact: ContactSummary | undefined) => void;
  readonly onCreate?: (name: string) => void;
}) {
  const { chosen, error } = props;
  const t = useMessages(contactMessages);
  // What was chosen replaces the field that had the focus, and the other way round.
  const [isChanged, setIsChanged] = useState(false);
  const onChoose = (contact: ContactSummary | undefined) => {
    setIsChanged(true);
    props.onChoose(contact);
  };
  return chosen ? (
    <Field label={t("find")} error={error}>
      {() => (
        <Chosen>
          <Avatar name={chosen.name || chosen.number} image={chosen.profilePicUrl} size={32} />
          <span>
            <b>{chosen.name || chosen.number}</b>
            <small>{phoneText(chosen.number)}</small>
          </span>
          <IconButton
            ref={isChanged ? takeFocus : undefined}
            size="small"
            label={t("change")}
            onClick={() => onChoose(undefined)}
          >
            <X />
          </IconButton>
        </Chosen>
      )}
    </Field>
  ) : (
    <Search {...props} onChoose={onChoose} hasFocus={isChanged} />
  );
}

function takeFocus(button: HTMLButtonElement | null): void {
  button?.focus();
}

function Search(props: {
  readonly error?: string | undefined;
  readonly onChoose: (contact: ContactSummary) => void;
  readonly onCreate?: (name: string) => void;
  readonly hasFocus: boolean;
}) {
  const t = useMessages(contactMessages);
  const listId = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const asked = useDebounced(text.trim().toLowerCase());
  const query = useQuery(contactLookupOptions(asked));
  const isAsked = asked.length >= searchFrom && asked === text.trim().toLowerCase();
  const found = isAsked && !query.isPlaceholderData ? (query.data ?? []) : [];
  const name = text.trim();
  const isKnown = found.some((contact) => contact.name.toLowerCase() === asked);
  const canCreate = props.onCreate !== undefined && isAsked && query.isSuccess && !query.isPlaceholderData && !isKnown;
  const last = found.length - 1 + (canCreate ? 1 : 0);

  const choose = (index: number) => {
    const contact = found[index];
    if (contact) {
      props.onChoose(contact);
    } else if (canCreate && index === found.length) {
      props.onCreate?.(name);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setAt(Math.min(Math.max(at + (event.key === "ArrowDown" ? 1 : -1), 0), Math.max(last, 0)));
    } else if (event.key === "Enter") {
      // Enter chooses an option and does not submit the form
      event.preventDefault();
      choose(at);
    }
  };
  const option = (index: number) => ({
    id: `${listId}-${index}`,
    role: "option",
    "aria-selected": index === at,
    onMouseEnter: () => setAt(index),
    onClick: () => choose(index),
  });

  return (
    <Field
      label={t("find")}
      error={props.error}
      hint={name.length < searchFrom ? t("findHint", { count: searchFrom }) : undefined}
    >
      {(control) => (
        <>
          <Input
            {...control}
            role="combobox"
            autoFocus={props.hasFocus}
            autoComplete="off"
            aria-expanded={last >= 0}
            aria-controls={listId}
            aria-activedescendant={last >= 0 ? `${listId}-${at}` : undefined}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
          />
          {name.length >= searchFrom && (
            <List id={listId} role="listbox" aria-label={t("find")}>
              {found.map((contact, index) => (
                <li key={contact.id} {...option(index)}>
                  <Avatar name={contact.name || contact.number} image={contact.profilePicUrl} size={28} />
                  <span>
                    <b>{contact.name || contact.number}</b>
                    <small>{phoneText(contact.number)}</small>
                  </span>
                </li>
              ))}
              {canCreate && (
                <li {...option(found.length)}>
                  <UserPlus aria-hidden size={18} />
                  <span>{t("create", { name })}</span>
                </li>
              )}
              {last < 0 && (
                <Nothing role="presentation">
                  {isAsked && query.isSuccess ? t("nobody", { text: name }) : t("searching")}
                </Nothing>
              )}
            </List>
          )}
        </>
      )}
    </Field>
  );
}

const Chosen = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 10,
  minHeight: 44,
  padding: "4px 6px 4px 8px",
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  backgroundColor: color.background,
  "& > span:not([aria-hidden])": { flex: 1, minWidth: 0, display: "flex", flexDirection: "column" },
  "& b, & small": { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& b": { fontSize: 13, fontWeight: 600 },
  "& small": { fontSize: 12, color: color.ink2 },
});
const List = styled("ul")({
  listStyle: "none",
  margin: 0,
  padding: 4,
  maxHeight: 240,
  overflowY: "auto",
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  "& li[role=option]": {
    display: "flex",
    alignItems: "center",
    gap: 10,
    minHeight: 40,
    padding: "4px 8px",
    borderRadius: 6,
    fontSize: 13,
    cursor: "pointer",
    "&[aria-selected=true]": { backgroundColor: color.hover },
    "& > svg": { flex: "none", color: color.accent },
    "& > span:not([aria-hidden])": { minWidth: 0, display: "flex", flexDirection: "column", overflowWrap: "anywhere" },
    "& b": { fontWeight: 500 },
    "& small": { fontSize: 12, color: color.ink2 },
  },
});
const Nothing = styled("li")({ padding: "8px 10px", fontSize: 13, color: color.ink2 });

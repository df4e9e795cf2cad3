import { Combobox } from "@base-ui/react/combobox";
import { maxSearchLetters } from "@prosa/contract/common";
import type { ContactSummary } from "@prosa/contract/contacts";
import { useQuery } from "@tanstack/react-query";
import { UserPlus, X } from "lucide-react";
import { useRef, useState } from "react";
import { useDebounced } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Field, Input } from "#web/ui/fields/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { itemStyle, listStyle, popupStyle, positionerStyle } from "#web/ui/select/parts.ts";
import { ErrorState } from "#web/ui/states.tsx";
import { stopHere, usePopup } from "#web/ui/select/usePopup.ts";
import { styled } from "#web/ui/styled.ts";
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

/** The row that creates a contact of the typed name; stored ones begin at 1. */
const newContact = { id: 0 } as const;
type Choice = ContactSummary | typeof newContact;

function Search(props: {
  readonly error?: string | undefined;
  readonly onChoose: (contact: ContactSummary) => void;
  readonly onCreate?: (name: string) => void;
  readonly hasFocus: boolean;
}) {
  const t = useMessages(contactMessages);
  const [text, setText] = useState("");
  const popup = usePopup();
  const input = useRef<HTMLInputElement>(null);
  const name = text.trim();
  const typed = name.toLowerCase();
  const asked = useDebounced(typed);
  const query = useQuery(contactLookupOptions(asked));
  const isAsked = asked.length >= searchFrom && asked === typed;
  const isAnswered = isAsked && query.data !== undefined && !query.isPlaceholderData;
  const hasFailed = isAsked && query.isError && query.data === undefined;
  const found = isAnswered ? query.data : [];
  const isKnown = found.some((contact) => contact.name.toLowerCase() === asked);
  const canCreate = props.onCreate !== undefined && isAnswered && !isKnown;
  const choices: readonly Choice[] = canCreate ? [...found, newContact] : found;

  const searchAgain = () => {
    // the button goes, and what is found is chosen from the field
    input.current?.focus();
    void query.refetch();
  };
  const choose = (choice: Choice | null) => {
    if (choice && "name" in choice) {
      props.onChoose(choice);
    } else if (choice) {
      props.onCreate?.(name);
    }
  };

  return (
    <Combobox.Root
      items={choices}
      filter={null}
      value={null as Choice | null}
      itemToStringLabel={(choice: Choice) => ("name" in choice ? choice.name : name)}
      inputValue={text}
      onInputValueChange={setText}
      onValueChange={choose}
      open={popup.isOpen && name.length >= searchFrom}
      onOpenChange={popup.onOpenChange}
      autoHighlight
    >
      <Field
        label={t("find")}
        error={props.error}
        hint={name.length < searchFrom ? t("findHint", { count: searchFrom }) : undefined}
      >
        {(control) => (
          <Combobox.Input
            {...control}
            ref={input}
            // While the list is open, what is outside of it is hidden from screen readers, the label too.
            aria-label={t("find")}
            render={<Input />}
            autoFocus={props.hasFocus}
            autoComplete="off"
            maxLength={maxSearchLetters}
            onKeyDown={(event) => {
              if (event.key === "Enter") {
                // chooses a contact and does not submit the form
                event.preventDefault();
              } else if (event.key === "Escape" && popup.isOpen && name.length >= searchFrom) {
                // Only then: the mark on the event would keep the dialog around the field open as well.
                event.preventBaseUIHandler();
                popup.onKeyDown(event);
              }
            }}
          />
        )}
      </Field>
      <Combobox.Portal>
        <Positioner sideOffset={4} align="start" onClick={stopHere}>
          <Popup>
            <List aria-label={t("find")}>
              {(choice: Choice) => (
                <Item key={choice.id} value={choice}>
                  {"name" in choice ? (
                    <>
                      <Avatar name={choice.name || choice.number} image={choice.profilePicUrl} size={28} />
                      <span>
                        <b>{choice.name || choice.number}</b>
                        <small>{phoneText(choice.number)}</small>
                      </span>
                    </>
                  ) : (
                    <>
                      <UserPlus aria-hidden />
                      <span>{t("create", { name })}</span>
                    </>
                  )}
                </Item>
              )}
            </List>
            <Nothing>
              {choices.length === 0 && !hasFailed && (isAnswered ? t("nobody", { text: name }) : t("searching"))}
            </Nothing>
            {hasFailed && <ErrorState error={query.error} onRetry={searchAgain} />}
          </Popup>
        </Positioner>
      </Combobox.Portal>
    </Combobox.Root>
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
const Positioner = styled(Combobox.Positioner)(positionerStyle);
const Popup = styled(Combobox.Popup)({
  ...popupStyle,
  maxWidth: "var(--available-width)",
  width: "var(--anchor-width)",
});
const List = styled(Combobox.List)(listStyle);
const Item = styled(Combobox.Item)({
  ...itemStyle,
  minHeight: 44,
  "& > span:not([aria-hidden])": { minWidth: 0, display: "flex", flexDirection: "column", overflowWrap: "anywhere" },
  "& b": { fontWeight: 500 },
  "& small": { fontSize: 12, color: color.ink2 },
});
const Nothing = styled(Combobox.Status)({
  padding: "8px 12px",
  color: color.ink2,
  overflowWrap: "anywhere",
  "&:empty": { display: "none" },
});

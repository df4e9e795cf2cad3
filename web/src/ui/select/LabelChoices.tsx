import { Combobox } from "@base-ui/react/combobox";
import { Check, Plus } from "lucide-react";
import { useState } from "react";
import { isLeaveKey } from "#web/lib/browser/field-keys.ts";
import { foldForSearch } from "#web/lib/text/foldForSearch.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "../Button.tsx";
import { ColorDot } from "../Chip.tsx";
import { Input } from "#web/ui/fields/Field.tsx";
import { styled } from "../styled.ts";
import { color } from "../tokens.ts";
import { matchLabels, type Label, type LabelChoicesProps } from "./labels.ts";
import { itemStyle, listStyle } from "./parts.ts";

/** The row that creates a label of the typed name; no label has it. */
const newId = -1;

/** What a `LabelPicker` shows: a field that searches, and the labels to toggle, with Base UI's keyboard. */
export function LabelChoices(props: LabelChoicesProps & { readonly onClose: () => void }) {
  const { label, labels, chosen, onToggle, onClear, onCreate, onClose, minLength = 1 } = props;
  const t = useMessages(messages);
  const [text, setText] = useState("");
  const name = text.trim();
  const isKnown = labels.some((known) => foldForSearch(known.name) === foldForSearch(name));
  const canCreate = onCreate !== undefined && name.length >= minLength && !isKnown;
  const items: readonly Label[] = [...matchLabels(labels, text), ...(canCreate ? [{ id: newId, name }] : [])];
  const value = labels.filter(({ id }) => chosen.includes(id));

  const toggle = (next: readonly Label[]) => {
    const changed =
      next.find(({ id }) => !chosen.includes(id)) ?? value.find(({ id }) => !next.some((one) => one.id === id));
    setText("");
    if (changed?.id === newId) {
      onCreate?.(changed.name);
    } else if (changed) {
      onToggle(changed.id);
    }
  };

  return (
    <Combobox.Root
      inline
      open
      multiple
      autoHighlight
      items={items}
      filter={null}
      value={value}
      isItemEqualToValue={(one: Label, other: Label) => one.id === other.id}
      itemToStringLabel={(one: Label) => one.name}
      inputValue={text}
      onInputValueChange={setText}
      onValueChange={toggle}
    >
      <Root>
        <Combobox.Input
          render={<Input autoFocus />}
          autoComplete="off"
          aria-label={t("search")}
          placeholder={t(onCreate ? "searchOrCreate" : "search")}
          onKeyDown={(event) => {
            if (isLeaveKey(event)) {
              // Base UI would take all choices back; its mark on the event keeps the popover around the field open, too.
              event.preventBaseUIHandler();
              event.stopPropagation();
              onClose();
            }
          }}
        />
        <List aria-label={label}>
          {(one: Label) => (
            <Item key={one.id} value={one}>
              {one.id === newId ? <Plus aria-hidden /> : one.color !== undefined && <ColorDot tint={one.color} />}
              <span title={one.name}>{one.id === newId ? t("create", { name }) : one.name}</span>
              <Combobox.ItemIndicator render={<span aria-hidden data-mark />}>
                <Check />
              </Combobox.ItemIndicator>
            </Item>
          )}
        </List>
        {onClear && chosen.length > 0 && (
          <Button kind="quiet" onClick={onClear}>
            {t("clear")}
          </Button>
        )}
        {items.length === 0 && <p>{t(labels.length === 0 ? "empty" : "nothing")}</p>}
      </Root>
    </Combobox.Root>
  );
}

const Root = styled("div")({
  padding: 8,
  display: "flex",
  flexDirection: "column",
  gap: 6,
  "& p": { padding: "6px 8px", color: color.ink2 },
});
const List = styled(Combobox.List)({ ...listStyle, padding: 0, maxHeight: 260 });
const Item = styled(Combobox.Item)({
  ...itemStyle,
  "& > span:not([aria-hidden])": { flex: 1, minWidth: 0, overflow: "hidden", textOverflow: "ellipsis" },
});

const messages = defineMessages({
  pt: {
    search: "Buscar",
    searchOrCreate: "Buscar ou criar",
    create: "Criar “{name}”",
    clear: "Limpar a escolha",
    nothing: "Nada encontrado",
    empty: "Ainda não há nada para escolher",
  },
  en: {
    search: "Search",
    searchOrCreate: "Search or create",
    create: "Create “{name}”",
    clear: "Clear the choice",
    nothing: "Nothing found",
    empty: "There is nothing to choose from yet",
  },
  es: {
    search: "Buscar",
    searchOrCreate: "Buscar o crear",
    create: "Crear “{name}”",
    clear: "Limpiar la elección",
    nothing: "Nada encontrado",
    empty: "Todavía no hay nada para elegir",
  },
});

import { Combobox } from "@base-ui/react/combobox";
import { Check, ChevronDown } from "lucide-react";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { Input } from "#web/ui/fields/Field.tsx";
import { styled } from "../styled.ts";
import { color } from "../tokens.ts";
import type { ListProps, Option, OptionGroup } from "./options.ts";
import { groupLabelStyle, itemStyle, listStyle, Mark, popupStyle, positionerStyle, triggerStyle } from "./parts.ts";
import { stopHere, usePopup } from "./usePopup.ts";

/** A select of many options, with a field in its popup that finds them; accents and case do not count. */
export function SearchSelect({ button, buttonRef, groups, chosen, onChoose, onClosed }: ListProps) {
  const t = useMessages(messages);
  const popup = usePopup(onClosed);
  return (
    <Combobox.Root
      items={groups}
      value={chosen ?? null}
      isItemEqualToValue={(one: Option, other: Option) => one.value === other.value}
      disabled={button.disabled ?? false}
      open={popup.isOpen}
      onOpenChange={popup.onOpenChange}
      onValueChange={(option: Option | null) => option && onChoose(option)}
      autoHighlight
    >
      <Trigger {...button} ref={buttonRef}>
        <span>{chosen?.label}</span>
        <ChevronDown aria-hidden />
      </Trigger>
      <Combobox.Portal>
        <Positioner sideOffset={4} align="start" onClick={stopHere}>
          <Popup onKeyDown={popup.onKeyDown} aria-label={t("search")}>
            <Combobox.Input render={<SearchInput />} placeholder={t("search")} aria-label={t("search")} />
            <Empty>{t("nothing")}</Empty>
            <List>
              {(group: OptionGroup) => (
                <Combobox.Group key={group.label ?? ""} items={group.items}>
                  {group.label !== undefined && <GroupLabel>{group.label}</GroupLabel>}
                  <Combobox.Collection>
                    {(option: Option) => (
                      <Item key={option.value} value={option}>
                        <span>{option.label}</span>
                        <Mark aria-hidden data-mark>
                          <Combobox.ItemIndicator>
                            <Check />
                          </Combobox.ItemIndicator>
                        </Mark>
                      </Item>
                    )}
                  </Combobox.Collection>
                </Combobox.Group>
              )}
            </List>
          </Popup>
        </Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}

const Trigger = styled(Combobox.Trigger)(triggerStyle);
const Positioner = styled(Combobox.Positioner)(positionerStyle);
const Popup = styled(Combobox.Popup)(popupStyle);
const List = styled(Combobox.List)(listStyle);
const Item = styled(Combobox.Item)(itemStyle);
const GroupLabel = styled(Combobox.GroupLabel)(groupLabelStyle);
const SearchInput = styled(Input)({ flex: "none", width: "auto", margin: 6, minHeight: 34, padding: "6px 10px" });
const Empty = styled(Combobox.Empty)({
  padding: "4px 14px 12px",
  color: color.ink2,
  "&:empty": { display: "none" },
});

const messages = defineMessages({
  pt: { search: "Buscar", nothing: "Nada encontrado" },
  en: { search: "Search", nothing: "Nothing found" },
  es: { search: "Buscar", nothing: "Nada encontrado" },
});

import { Select as Base } from "@base-ui/react/select";
import { Check, ChevronDown } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { useFieldValue, type ValueProps } from "#web/ui/fields/useFieldValue.ts";
import { allOf, readOptions, type ListProps } from "./options.ts";
import { GroupLabel, Item, List, Mark, Popup, Positioner, Trigger } from "./parts.ts";
import { SearchSelect } from "./SearchSelect.tsx";
import { stopHere, usePopup } from "./usePopup.ts";

export interface SelectProps
  extends
    ValueProps,
    Omit<ComponentProps<"button">, "children" | "name" | "value" | "onChange" | "onBlur" | "ref" | "type"> {
  /** `<option>`s, also in `<optgroup>`s: read, not rendered. */
  readonly children: ReactNode;
}

/** Above so many options the list is searched by typing, because nobody reads it from its start. */
const searchedAbove = 12;

/**
 * A select in our look with Base UI's keyboard and typeahead. Takes what a native one takes: `<option>`s, and `value` with
 * `onChange` or `{...form.register("name")}`. It keeps a value whose option has not arrived yet.
 */
export function Select({ children, name, value, onChange, onBlur, ref, ...button }: SelectProps) {
  const given = { name, value, onChange, onBlur, ref } as ValueProps;
  const field = useFieldValue<HTMLButtonElement>(given);
  const groups = readOptions(children);
  const options = allOf(groups);
  const chosen = options.find((option) => option.value === field.current);
  const Shown = options.length > searchedAbove ? SearchSelect : ShortSelect;
  return (
    <Shown
      button={button}
      buttonRef={field.element}
      groups={groups}
      chosen={chosen}
      onChoose={(option) => field.change(option.value)}
      onClosed={field.blur}
    />
  );
}

function ShortSelect({ button, buttonRef, groups, chosen, onChoose, onClosed }: ListProps) {
  const popup = usePopup(onClosed);
  const options = allOf(groups);
  return (
    <Base.Root
      items={options}
      value={chosen?.value ?? null}
      disabled={button.disabled ?? false}
      open={popup.isOpen}
      onOpenChange={popup.onOpenChange}
      onValueChange={(next) => {
        const option = options.find((each) => each.value === next);
        if (option) {
          onChoose(option);
        }
      }}
    >
      <Trigger {...button} ref={buttonRef}>
        <span>{chosen?.label}</span>
        <ChevronDown aria-hidden />
      </Trigger>
      <Base.Portal>
        <Positioner sideOffset={4} align="start" alignItemWithTrigger={false} onClick={stopHere}>
          <Popup onKeyDown={popup.onKeyDown}>
            <List>
              {groups.map(({ label, items }, index) => (
                <Base.Group key={label ?? index}>
                  {label !== undefined && <GroupLabel>{label}</GroupLabel>}
                  {items.map((option) => (
                    <Item key={option.value} value={option.value}>
                      <Base.ItemText render={<span />}>{option.label}</Base.ItemText>
                      <Mark aria-hidden data-mark>
                        <Base.ItemIndicator>
                          <Check />
                        </Base.ItemIndicator>
                      </Mark>
                    </Item>
                  ))}
                </Base.Group>
              ))}
            </List>
          </Popup>
        </Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

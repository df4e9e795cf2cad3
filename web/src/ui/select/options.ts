/** What do the `<option>`s of a select say? They are read, not rendered, so that a caller writes them as for a native one. */
import { Children, Fragment, isValidElement, type ComponentProps, type ReactNode, type Ref } from "react";

export interface Option {
  readonly value: string;
  readonly label: string;
}

/** Options under a heading; without one where they stand by themselves. */
export interface OptionGroup {
  readonly label: string | undefined;
  readonly items: readonly Option[];
}

/** What a list of options takes, short or searched. */
export interface ListProps {
  readonly button: Omit<ComponentProps<"button">, "ref">;
  readonly buttonRef: Ref<HTMLButtonElement>;
  readonly groups: readonly OptionGroup[];
  readonly chosen: Option | undefined;
  readonly onChoose: (option: Option) => void;
  readonly onClosed: () => void;
}

/** Pure. Takes `<option>`, `<optgroup>`, fragments and arrays of them; anything else is a mistake of the caller. */
export function readOptions(children: ReactNode): readonly OptionGroup[] {
  const groups: { label: string | undefined; items: Option[] }[] = [];
  const add = (option: Option, label: string | undefined) => {
    const last = groups.at(-1);
    if (last && last.label === label) {
      last.items.push(option);
    } else {
      groups.push({ label, items: [option] });
    }
  };
  const read = (nodes: ReactNode, label: string | undefined) =>
    Children.forEach(nodes, (node) => {
      if (node === null || node === undefined || typeof node === "boolean") {
        return;
      }
      if (isValidElement<{ children?: ReactNode; value?: string | number; label?: string }>(node)) {
        const { props } = node;
        switch (node.type) {
          case Fragment:
            return read(props.children, label);
          case "optgroup":
            return read(props.children, props.label);
          case "option":
            return add({ value: String(props.value ?? ""), label: textOf(props.children) }, label);
        }
      }
      throw new TypeError("A select takes <option> and <optgroup> only");
    });
  read(children, undefined);
  return groups;
}

/** The options of all groups, in their order. */
export function allOf(groups: readonly OptionGroup[]): readonly Option[] {
  return groups.flatMap(({ items }) => items);
}

function textOf(children: ReactNode): string {
  return Children.toArray(children).join("");
}

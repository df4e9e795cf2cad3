import { foldForSearch } from "#web/lib/text/foldForSearch.ts";

export interface Label {
  readonly id: number;
  readonly name: string;
  /** Colour of its dot; absent for labels without a colour. */
  readonly color?: string;
}

export interface LabelChoicesProps {
  /** Name of the list: "Etiquetas". */
  readonly label: string;
  readonly labels: readonly Label[];
  readonly chosen: readonly number[];
  readonly onToggle: (id: number) => void;
  /** Offers to choose none. */
  readonly onClear?: () => void;
  /** Offers to create a label of the typed name, if none has it. */
  readonly onCreate?: (name: string) => void;
  /** Minimum length of a new name. */
  readonly minLength?: number;
}

/** Pure: labels whose name contains the text; accents and case are ignored. */
export function matchLabels<T extends Label>(labels: readonly T[], text: string): readonly T[] {
  const wanted = foldForSearch(text.trim());
  return wanted === "" ? labels : labels.filter(({ name }) => foldForSearch(name).includes(wanted));
}

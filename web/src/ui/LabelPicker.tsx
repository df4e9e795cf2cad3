import { styled } from "./styled.ts";
import { Check, Plus } from "lucide-react";
import { useState, type KeyboardEvent, type ReactNode } from "react";
import { foldForSearch } from "#web/lib/text/foldForSearch.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { ColorDot } from "./Chip.tsx";
import { Input } from "./Field.tsx";
import type { OpenerProps } from "./Floating.tsx";
import { Popover } from "./Menu.tsx";
import { color } from "./tokens.ts";

export interface Label {
  readonly id: number;
  readonly name: string;
  /** Colour of its dot; absent for labels without a colour. */
  readonly color?: string;
}

export interface LabelPickerProps {
  /** Name of the list: "Etiquetas". */
  readonly label: string;
  readonly labels: readonly Label[];
  readonly chosen: readonly number[];
  readonly onToggle: (id: number) => void;
  /** Offers to create a label of the typed name, if none has it. */
  readonly onCreate?: (name: string) => void;
  /** Minimum length of a new name. */
  readonly minLength?: number;
  readonly opener: (props: OpenerProps) => ReactNode;
}

/** A popover to search and toggle labels, with keyboard. */
export function LabelPicker({ opener, label, ...rest }: LabelPickerProps) {
  return (
    <Popover label={label} opener={opener} width={280}>
      <Choices label={label} {...rest} />
    </Popover>
  );
}

function Choices(props: Omit<LabelPickerProps, "opener">) {
  const t = useMessages(messages);
  const [text, setText] = useState("");
  const found = matchLabels(props.labels, text);
  const name = text.trim();
  const canCreate =
    props.onCreate !== undefined &&
    name.length >= (props.minLength ?? 1) &&
    !props.labels.some((known) => foldForSearch(known.name) === foldForSearch(name));

  const create = () => {
    props.onCreate?.(name);
    setText("");
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("button")];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const to = event.key === "ArrowDown" ? at + 1 : at - 1;
      (rows[to] ?? event.currentTarget.querySelector("input"))?.focus();
    } else if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      rows[0]?.click();
      setText("");
    }
  };

  return (
    <Root onKeyDown={onKeyDown}>
      <Input
        autoComplete="off"
        value={text}
        aria-label={t("search")}
        placeholder={t(props.onCreate ? "searchOrCreate" : "search")}
        onChange={(event) => setText(event.target.value)}
      />
      <Rows role="group" aria-label={props.label}>
        {found.map((one) => (
          <Choice
            key={one.id}
            type="button"
            aria-pressed={props.chosen.includes(one.id)}
            onClick={() => props.onToggle(one.id)}
          >
            {one.color !== undefined && <ColorDot tint={one.color} />}
            <span title={one.name}>{one.name}</span>
            {props.chosen.includes(one.id) && <Check aria-hidden size={16} />}
          </Choice>
        ))}
        {canCreate && (
          <Choice type="button" onClick={create}>
            <Plus aria-hidden size={16} />
            <span>{t("create", { name })}</span>
          </Choice>
        )}
        {found.length === 0 && !canCreate && <p>{t(props.labels.length === 0 ? "empty" : "nothing")}</p>}
      </Rows>
    </Root>
  );
}

/** Pure: labels whose name contains the text; accents and case are ignored. */
export function matchLabels<T extends Label>(labels: readonly T[], text: string): readonly T[] {
  const wanted = foldForSearch(text.trim());
  return wanted === "" ? labels : labels.filter(({ name }) => foldForSearch(name).includes(wanted));
}

const Root = styled("div")({ padding: 8, display: "flex", flexDirection: "column", gap: 6 });
const Rows = styled("div")({
  maxHeight: 260,
  overflowY: "auto",
  "& p": { padding: "10px 8px", color: color.ink2 },
});
const Choice = styled("button")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  width: "100%",
  minHeight: 32,
  padding: "4px 8px",
  border: 0,
  borderRadius: 6,
  background: "none",
  fontSize: 13,
  textAlign: "left",
  cursor: "pointer",
  "& span:not([aria-hidden])": { flex: 1, minWidth: 0, overflow: "hidden", textOverflow: "ellipsis" },
  "& svg": { flex: "none", color: color.accent },
  "&:hover, &:focus-visible": { backgroundColor: color.hover },
  "&:focus-visible": { outlineOffset: -2 },
  "@media (pointer: coarse)": { minHeight: 44 },
});

const messages = defineMessages({
  pt: {
    search: "Buscar",
    searchOrCreate: "Buscar ou criar",
    create: "Criar “{name}”",
    nothing: "Nada encontrado",
    empty: "Ainda não há nada para escolher",
  },
  en: {
    search: "Search",
    searchOrCreate: "Search or create",
    create: "Create “{name}”",
    nothing: "Nothing found",
    empty: "There is nothing to choose from yet",
  },
  es: {
    search: "Buscar",
    searchOrCreate: "Buscar o crear",
    create: "Crear “{name}”",
    nothing: "Nada encontrado",
    empty: "Todavía no hay nada para elegir",
  },
});

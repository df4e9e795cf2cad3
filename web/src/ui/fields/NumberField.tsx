/**
 * Numbers are typed as text. A browser's `type="number"` has "" for what it cannot read, which saves as 0 or as nothing, and Chromium
 * drops a comma, so that 99,90 is 9990.
 */
import { useEffect, useRef, useState, type ComponentProps, type KeyboardEvent, type MouseEvent } from "react";
import { numberText, parseNumber, type NumberShape } from "#web/lib/text/number-text.ts";
import { defineMessages, useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/tokens.ts";
import { Field, Input, type FieldProps } from "./Field.tsx";
import { useFieldValue, type ValueProps } from "./useFieldValue.ts";

interface NumberProps
  extends ValueProps, Omit<ComponentProps<"input">, keyof ValueProps | "type" | "min" | "max" | "step" | "inputMode"> {
  /** Whole by default. */
  readonly kind?: Kind;
}

const shapes = {
  whole: { decimals: 0, isMoney: false },
  money: { decimals: 2, isMoney: true },
  decimal: { decimals: 10, isMoney: false },
} as const satisfies Record<string, NumberShape>;
type Kind = keyof typeof shapes;

/** A labelled number. Takes `value` with `onChange`, or `{...form.register("name")}`; either gets 1234.5 for what shows as 1234,50. */
export function NumberField({ label, error, hint, isOptional, ...props }: FieldProps & NumberProps) {
  const { input, finding } = useNumberInput(props, error !== undefined);
  return (
    <Field {...{ label, hint }} {...(isOptional && { isOptional })} error={finding ?? error}>
      {(control) => <Input {...input} {...control} />}
    </Field>
  );
}

/** A number without a label of its own, for rows; its error is below. `error`: why this number is refused. */
export function NumberInput({ error, ...props }: NumberProps & Pick<FieldProps, "error">) {
  const { input, finding = error } = useNumberInput(props, error !== undefined);
  return (
    <Bare>
      <Input {...input} aria-invalid={finding !== undefined || undefined} />
      {finding !== undefined && <small role="alert">{finding}</small>}
    </Bare>
  );
}

/**
 * Saves at the press of a button whose card has no schema that would refuse "NaN". If a number of the card cannot be read, that field
 * gets the focus instead and nothing is saved: the card has the number before.
 */
export function saveReadable({ currentTarget }: MouseEvent<HTMLElement>, save: () => void): void {
  const unread = currentTarget.closest("section")?.querySelector<HTMLInputElement>("input:invalid");
  if (unread) {
    unread.focus();
  } else {
    save();
  }
}

function useNumberInput(
  { kind = "whole", name, value, onChange, onBlur, ref, ...rest }: NumberProps,
  isRefused: boolean,
) {
  const t = useMessages(messages);
  const language = useLanguage();
  const shape = shapes[kind];
  const field = useFieldValue<HTMLInputElement>({
    ...(name !== undefined && { name }),
    ...(onChange && { onChange }),
    ...(onBlur && { onBlur }),
    ...(ref !== undefined && { ref }),
    value,
  });
  /** As typed, until the field is left. */
  const [typed, setTyped] = useState<string>();
  /** What the field had when typing began. */
  const before = useRef("");
  const [isLeft, setLeft] = useState(false);
  const read = (text: string) => parseNumber(text, language, shape.decimals);
  const isWrong = typed !== undefined && typed.trim() !== "" && read(typed) === undefined;

  const change = (text: string) => {
    if (typed === undefined) {
      before.current = field.current;
    }
    setTyped(text);
    setLeft(false);
    const number = read(text);
    if (number !== undefined || text.trim() === "") {
      field.change(String(number ?? ""));
    } else if (value === undefined) {
      // a form's schema refuses it
      field.change("NaN");
    } else if (field.current !== before.current) {
      // The first digits of what is no number as a whole, the 1 of 1.825, were numbers too.
      field.change(before.current);
    }
  };
  const settle = () => {
    setLeft(true);
    if (!isWrong) {
      setTyped(undefined);
    }
  };
  const leave = () => {
    settle();
    field.blur();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") {
      settle();
    }
    rest.onKeyDown?.(event);
  };
  const why = t(kind === "whole" ? "whole" : "number", { example: numberText(1234.5, language, shape) });
  // For who saves without a schema (`saveReadable`).
  useEffect(() => field.element.current?.setCustomValidity(isWrong ? why : ""), [field.element, isWrong, why]);
  const shown =
    field.current === "" || field.current === "NaN" ? "" : numberText(Number(field.current), language, shape);
  return {
    input: {
      autoComplete: "off",
      ...rest,
      name,
      ref: field.element,
      inputMode: kind === "whole" ? "numeric" : "decimal",
      value: typed ?? shown,
      onChange: ({ target }: { readonly target: HTMLInputElement }) => change(target.value),
      onBlur: leave,
      onKeyDown,
    } as const,
    finding: isWrong && (isLeft || isRefused) ? why : undefined,
  };
}

const Bare = styled("span")({
  display: "flex",
  flexDirection: "column",
  gap: 4,
  minWidth: 0,
  "& > small": { fontSize: 12, lineHeight: 1.35, color: color.danger },
});

const messages = defineMessages({
  pt: { number: "Digite um número, como {example}", whole: "Digite um número inteiro" },
  en: { number: "Enter a number, such as {example}", whole: "Enter a whole number" },
  es: { number: "Escriba un número, como {example}", whole: "Escriba un número entero" },
});

import { useState } from "react";
import type { Parsed, Problem } from "./parse.ts";

interface Draft {
  readonly text: string;
  /** What the form was given for it: the value, or the text itself where it is none. */
  readonly value: string;
  /** The value before it. */
  readonly before: string;
  readonly isLeft: boolean;
}

/**
 * Typed text of a value that is written differently: the form gets the value with every key, the text stays as typed until the
 * field is left, and then is either written properly or told what is wrong with it.
 */
export function useTypedText(props: {
  readonly field: { readonly current: string; readonly change: (value: string) => void; readonly blur: () => void };
  readonly parse: (text: string) => Parsed;
  readonly format: (value: string) => string;
}) {
  const { field, parse, format } = props;
  const [draft, setDraft] = useState<Draft>();
  // A value from elsewhere, such as a button's, replaces what was typed.
  const typed = draft?.value === field.current || draft?.before === field.current ? draft : undefined;
  const meant = typed === undefined || typed.text.trim() === "" ? undefined : parse(typed.text);
  const problem: Problem | undefined = typed?.isLeft && meant && "problem" in meant ? meant.problem : undefined;

  const type = (text: string) => {
    const parsed = text.trim() === "" ? { value: "" } : parse(text);
    const value = "value" in parsed ? parsed.value : text.trim();
    setDraft({ text, value, before: field.current, isLeft: false });
    field.change(value);
  };
  const leave = () => {
    const isRefused = typed !== undefined && typed.value !== field.current;
    setDraft(typed && meant && "problem" in meant && !isRefused ? { ...typed, isLeft: true } : undefined);
    field.blur();
  };
  const choose = (value: string) => {
    setDraft(undefined);
    field.change(value);
  };
  return { text: typed?.text ?? format(field.current), isTyping: typed !== undefined, problem, type, leave, choose };
}

import { useImperativeHandle, useRef, useState, type Ref } from "react";

/** What a form gets as the event's target and as the ref of a control of ours: it writes `value` as it would an input's. */
export interface FieldTarget {
  readonly name: string;
  readonly type: "text";
  get value(): string;
  set value(next: string | number | null | undefined);
  readonly focus: () => void;
}

interface FieldEvent {
  readonly target: FieldTarget;
  readonly type: "change" | "blur";
}

/** A control takes either `value` with `onChange`, or `{...form.register("name")}`. */
export interface ValueProps {
  readonly name?: string;
  readonly value?: string | number | undefined;
  readonly onChange?: (event: FieldEvent) => unknown;
  readonly onBlur?: (event: FieldEvent) => unknown;
  readonly ref?: Ref<FieldTarget>;
}

/**
 * The value of a control that is no native input, as react-hook-form's `register` keeps one: the form writes it through the
 * ref, reads it from there with `valueAsNumber` and `setValueAs`, and focuses the control at an error.
 */
export function useFieldValue<E extends HTMLElement>({ name = "", value, onChange, onBlur, ref }: ValueProps) {
  const element = useRef<E>(null);
  const [own, setOwn] = useState("");
  const current = value === undefined ? own : String(value);
  const kept = useRef(current);
  if (value !== undefined) {
    kept.current = current;
  }
  // The form knows a control by its identity: a new target at each render would be registered, and rendered, again and again.
  const [target] = useState((): FieldTarget => ({
    name,
    type: "text",
    get value() {
      return kept.current;
    },
    set value(next) {
      kept.current = String(next ?? "");
      setOwn(kept.current);
    },
    focus: () => element.current?.focus(),
  }));
  useImperativeHandle(ref, () => target, [target]);

  const change = (next: string) => {
    target.value = next;
    void onChange?.({ target, type: "change" });
  };
  const blur = () => void onBlur?.({ target, type: "blur" });
  return { current, change, blur, element };
}

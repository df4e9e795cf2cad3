import { Field, type FieldProps } from "./Field.tsx";
import { Select, type SelectProps } from "#web/ui/select/Select.tsx";

/** A labelled select. Takes what a native one takes: `<option>`s, and `value` with `onChange` or `form.register("name")`. */
export function SelectField({ label, error, hint, isOptional, children, ...select }: FieldProps & SelectProps) {
  return (
    <Field {...{ label, hint }} {...(isOptional && { isOptional })} error={error}>
      {(control) => (
        <Select {...select} {...control}>
          {children}
        </Select>
      )}
    </Field>
  );
}

import { useState, type ReactNode } from "react";
import { useErrorText } from "#web/lib/api/errors.i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { PasswordField, TextField } from "#web/ui/fields/Field.tsx";
import { styled } from "#web/ui/styled.ts";

/** One value and a button: a code, or the current password. What `onSend` throws is shown at the field. */
export function CodeForm(props: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly verb: string;
  readonly isPassword?: boolean;
  readonly onSend: (value: string) => Promise<unknown>;
  readonly children?: ReactNode;
}) {
  const errorText = useErrorText();
  const [value, setValue] = useState("");
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    if (isBusy || value.trim() === "") {
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      await props.onSend(value);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const field = {
    label: props.label,
    value,
    autoFocus: true,
    error: error === undefined ? undefined : errorText(error),
    ...(props.hint !== undefined && { hint: props.hint }),
    onChange: (event: { readonly target: { readonly value: string } }) => setValue(event.target.value),
  };
  return (
    <Form
      noValidate
      aria-label={props.name}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void send();
      }}
    >
      {props.isPassword ? (
        <PasswordField {...field} autoComplete="current-password" />
      ) : (
        <TextField {...field} autoComplete="one-time-code" autoCapitalize="characters" spellCheck={false} />
      )}
      <footer>
        <Button kind="primary" type="submit" size="large" isBusy={isBusy}>
          {props.verb}
        </Button>
        {props.children}
      </footer>
    </Form>
  );
}

const Form = styled("form")({
  display: "flex",
  flexDirection: "column",
  gap: 12,
  "& footer": { display: "flex", flexWrap: "wrap", gap: 8 },
});

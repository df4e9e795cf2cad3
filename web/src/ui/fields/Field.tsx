import { styled } from "#web/ui/styled.ts";
import { Eye, EyeOff } from "lucide-react";
import { useId, useState, type ComponentProps, type ReactNode } from "react";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { color, media, size } from "#web/ui/tokens.ts";

export interface FieldProps {
  readonly label: string;
  /** The error text of the value. */
  readonly error?: string | undefined;
  /** Help text below the field. */
  readonly hint?: ReactNode;
  readonly isOptional?: boolean;
}

/** A label above a control, with its hint or error below. The child gets the ids that connect them. */
export function Field(props: FieldProps & { readonly children: (control: ControlProps) => ReactNode }) {
  const t = useMessages(messages);
  const id = useId();
  const noteId = `${id}-note`;
  const note = props.error ?? props.hint;
  return (
    <Root>
      <Label htmlFor={id}>
        {props.label}
        {props.isOptional && <Optional> · {t("optional")}</Optional>}
      </Label>
      {props.children({
        id,
        "aria-invalid": props.error !== undefined || undefined,
        "aria-describedby": note ? noteId : undefined,
      })}
      {note && (
        <Note id={noteId} data-wrong={props.error !== undefined || undefined} role={props.error ? "alert" : undefined}>
          {note}
        </Note>
      )}
    </Root>
  );
}

export interface ControlProps {
  readonly id: string;
  readonly "aria-invalid": true | undefined;
  readonly "aria-describedby": string | undefined;
}

/** One line of text. Takes what `<input>` takes, so `{...form.register("name")}` fits. */
export function TextField({ label, error, hint, isOptional, ...input }: FieldProps & ComponentProps<"input">) {
  return (
    <Field {...{ label, hint }} {...(isOptional && { isOptional })} error={error}>
      {(control) => <Input {...input} {...control} />}
    </Field>
  );
}

/** A password field with a button that reveals the text. */
export function PasswordField({ label, error, hint, isOptional, ...input }: FieldProps & ComponentProps<"input">) {
  const t = useMessages(messages);
  const [isShown, setShown] = useState(false);
  return (
    <Field {...{ label, hint }} {...(isOptional && { isOptional })} error={error}>
      {(control) => (
        <Inside>
          <Input {...input} {...control} type={isShown ? "text" : "password"} style={{ paddingRight: 40 }} />
          <span>
            <IconButton label={isShown ? t("hide") : t("show")} size="small" onClick={() => setShown(!isShown)}>
              {isShown ? <EyeOff /> : <Eye />}
            </IconButton>
          </span>
        </Inside>
      )}
    </Field>
  );
}

/** Text of several lines; the field grows with its text. */
export function TextArea({ label, error, hint, isOptional, ...area }: FieldProps & ComponentProps<"textarea">) {
  return (
    <Field {...{ label, hint }} {...(isOptional && { isOptional })} error={error}>
      {(control) => <Area rows={3} dir="auto" {...area} {...control} />}
    </Field>
  );
}

/** A labelled switch. */
export function SwitchField({ label, error, hint, ...input }: FieldProps & ComponentProps<"input">) {
  const id = useId();
  return (
    <SwitchRow>
      <Switch {...input} id={id} aria-invalid={error !== undefined || undefined} />
      <label htmlFor={id}>
        {label}
        {error ? (
          <Note as="span" data-wrong role="alert">
            {error}
          </Note>
        ) : (
          hint && <Note as="span">{hint}</Note>
        )}
      </label>
    </SwitchRow>
  );
}

/** A switch without a label, for rows that have their own; it needs an `aria-label`. */
export function Switch(props: ComponentProps<"input">) {
  return <SwitchInput {...props} type="checkbox" role="switch" />;
}

/** The frame of a control: input, text area, select. */
export const controlStyle = {
  width: "100%",
  minHeight: 36,
  padding: "7px 10px",
  border: `1px solid ${color.lineStrong}`,
  borderRadius: 8,
  backgroundColor: color.panel,
  color: color.ink,
  fontSize: 14,
  lineHeight: "20px",
  outline: 0,
  "&::placeholder": { color: color.ink2, opacity: 0.8 },
  "&:hover": { borderColor: color.ink3 },
  "&:focus": { outline: 0, borderColor: color.accent, boxShadow: `0 0 0 1px ${color.accent}` },
  "&[aria-invalid='true']": { borderColor: color.danger },
  "&[aria-invalid='true']:focus": { boxShadow: `0 0 0 1px ${color.danger}` },
  "&:disabled": { backgroundColor: color.background, color: color.ink2 },
  // Safari on a phone zooms the page into a focused field with a font below 16 px.
  [media.coarse]: { minHeight: size.finger, fontSize: 16 },
} as const;

export const Input = styled("input")(controlStyle);
const Area = styled("textarea")({
  ...controlStyle,
  // at least two lines
  minHeight: 58,
  resize: "vertical",
  fieldSizing: "content",
  maxHeight: 240,
});

const Root = styled("div")({ display: "flex", flexDirection: "column", gap: 4, minWidth: 0 });
const Label = styled("label")({ fontSize: 13, fontWeight: 500, color: color.ink, overflowWrap: "anywhere" });
const Optional = styled("span")({ fontWeight: 400, color: color.ink2 });
const Note = styled("p")({
  display: "block",
  fontSize: 12,
  lineHeight: 1.35,
  color: color.ink2,
  "&[data-wrong]": { color: color.danger },
});
const Inside = styled("div")({
  position: "relative",
  "& > span": { position: "absolute", right: 4, top: 4, display: "inline-flex" },
  [media.coarse]: { "& > span": { right: 0, top: 0 } },
});
const SwitchRow = styled("div")({
  display: "flex",
  alignItems: "flex-start",
  gap: 10,
  "& label": { cursor: "pointer", lineHeight: "20px" },
});
const SwitchInput = styled("input")({
  appearance: "none",
  flex: "none",
  position: "relative",
  width: 32,
  height: 20,
  margin: 0,
  borderRadius: 10,
  backgroundColor: color.ink3,
  cursor: "pointer",
  transition: "background-color 120ms",
  "&::after": {
    content: '""',
    position: "absolute",
    top: 2,
    left: 2,
    width: 16,
    height: 16,
    borderRadius: "50%",
    backgroundColor: color.panel,
    transition: "transform 120ms",
  },
  "&:checked": { backgroundColor: color.accent },
  "&:checked::after": { transform: "translateX(12px)" },
  "&:disabled": { opacity: 0.5, cursor: "default" },
  [media.coarse]: { "&::before": { content: '""', position: "absolute", inset: "-12px -6px" } },
});

const messages = defineMessages({
  pt: { optional: "opcional", show: "Mostrar senha", hide: "Esconder senha" },
  en: { optional: "optional", show: "Show password", hide: "Hide password" },
  es: { optional: "opcional", show: "Mostrar contraseña", hide: "Ocultar contraseña" },
});

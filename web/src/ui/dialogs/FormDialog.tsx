import { Dialog } from "./Dialog.tsx";
import { styled } from "#web/ui/styled.ts";
import { useId, useState, type ReactNode } from "react";
import type { DefaultValues, FieldValues, Path, UseFormReturn } from "react-hook-form";
import { ApiError } from "#web/lib/api/apiError.ts";
import { defineMessages, useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { changedValues } from "#web/ui/fields/changed-values.ts";
import { serverFieldErrors, type LoadSchema } from "#web/ui/fields/formRules.ts";
import { RulesAlert } from "#web/ui/fields/RulesAlert.tsx";
import { useContractForm } from "#web/ui/fields/useContractForm.ts";
import { DialogHead, Foot } from "./InfoDialog.tsx";
import { useDiscardQuestion } from "./useDiscardQuestion.ts";
import { toast } from "#web/ui/Toast.tsx";
import { media } from "#web/ui/tokens.ts";

export interface FormDialogProps<V extends FieldValues> {
  readonly title: string;
  readonly values: DefaultValues<V>;
  /** The contract's schema, fetched with the dialog: `() => import("#schemas/queues").then((m) => m.queueBody)`. */
  readonly schema?: LoadSchema;
  /**
   * Saves. An error is shown at its field or as a toast, and the dialog stays open; with `false` too, after a question. Of a record
   * that exists only `changed` is sent: what colleagues changed since the form opened stays. After an error it has all that was
   * tried, as it is now, since the server may have saved it.
   */
  readonly onSave: (values: V, changed: Partial<V>) => Promise<unknown>;
  readonly onClose: () => void;
  /** Toast after saving. */
  readonly savedText?: string;
  /** Toast when the server refuses the values (4xx), besides the error at a field. */
  readonly failedText?: string;
  /** Label of the submit button; "Salvar" by default. */
  readonly verb?: string | ((values: V) => string);
  /** Nothing to save any more: without a submit button. */
  readonly isReadOnly?: boolean;
  /** Buttons at the left of the foot, which act at once. */
  readonly actions?: ReactNode;
  /** Which field a server's error code belongs to: `{ ERR_EMAIL_TAKEN: "email" }`. */
  readonly fieldOfError?: Readonly<Partial<Record<string, Path<V>>>>;
  readonly width?: "xs" | "sm" | "md" | "lg";
  /** `close` is what Escape does, for a field that has Escape to itself. */
  readonly children: (
    form: UseFormReturn<V>,
    errorOf: (name: Path<V>) => string | undefined,
    close: () => void,
  ) => ReactNode;
}

/** A form in a dialog: focuses the first field, saves by Enter, asks before discarding changes; full screen on a phone. */
export function FormDialog<V extends FieldValues>(props: FormDialogProps<V>) {
  const t = useMessages(messages);
  const language = useLanguage();
  const titleId = useId();
  const form = useContractForm<V>({ defaultValues: props.values, schema: props.schema });
  const { isDirty, isSubmitting, errors, defaultValues: opened = {} } = form.formState;

  const [tried, setTried] = useState<readonly string[]>([]);

  // What is put back after a failed save is not saved either.
  const hasUnsaved = isDirty || tried.length > 0;
  const askToDiscard = useDiscardQuestion(hasUnsaved, props.onClose);
  const close = async () => {
    if (isSubmitting) {
      return;
    }
    if (!hasUnsaved || (await askToDiscard())) {
      props.onClose();
    }
  };

  const save = async (values: V) => {
    const changed = changedValues(opened, values, tried);
    try {
      if ((await props.onSave(values, changed)) === false) {
        return;
      }
      props.onClose();
      if (props.savedText) {
        toast.success(props.savedText);
      }
    } catch (error) {
      setTried(Object.keys(changed));
      const fieldErrors = serverFieldErrors(error, props.fieldOfError ?? {}, language);
      const shown = fieldErrors.filter(({ name }) => name in form.getValues());
      shown.forEach(({ name, message }, index) =>
        form.setError(name as Path<V>, { message }, { shouldFocus: index === 0 }),
      );
      if (props.failedText !== undefined && error instanceof ApiError && error.status >= 400 && error.status < 500) {
        toast.error(props.failedText);
      } else if (shown.length === 0) {
        toast.failure(error instanceof ApiError ? error : new ApiError("ERR_INTERNAL", 0));
      }
    }
  };

  const errorOf = (name: Path<V>) => {
    const found: unknown = errors[name]?.message;
    return typeof found === "string" ? found : undefined;
  };

  return (
    <Dialog
      {...(props.width && { width: props.width })}
      aria-labelledby={titleId}
      initialFocus={firstField}
      onClose={() => void close()}
    >
      <Form
        noValidate
        onSubmit={(event) => {
          // Of a field that is not registered nothing else takes back what the server said.
          form.clearErrors();
          void form.handleSubmit(save)(event);
        }}
      >
        <DialogHead title={props.title} titleId={titleId} onClose={() => void close()} />
        <div>{props.children(form, errorOf, () => void close())}</div>
        <RulesAlert errors={errors} />
        <Foot>
          {props.actions && <Left>{props.actions}</Left>}
          <Button disabled={isSubmitting} onClick={() => void close()}>
            {t(props.isReadOnly ? "close" : "cancel")}
          </Button>
          {!props.isReadOnly && (
            <Button kind="primary" type="submit" isBusy={isSubmitting}>
              {(typeof props.verb === "function" ? props.verb(form.watch()) : props.verb) ?? t("save")}
            </Button>
          )}
        </Foot>
      </Form>
    </Dialog>
  );
}

function firstField(dialog: HTMLElement): HTMLElement | null {
  return dialog.querySelector<HTMLElement>("input:not([type=hidden], [aria-hidden=true]), textarea, [role=combobox]");
}

/** Two fields side by side where they fit. */
export const FieldRow = styled("div")({
  display: "grid",
  gridTemplateColumns: "repeat(auto-fit, minmax(min(200px, 100%), 1fr))",
  gap: 16,
});

/** Lets the words of a button without a border begin where the fields do: less its padding and its border. */
export const wordsBelowFields = { marginLeft: -15 } as const;

// on a phone above the other two, which would not fit beside it
const Left = styled("div")({
  ...wordsBelowFields,
  flex: 1,
  display: "flex",
  gap: 8,
  [media.phone]: { flexBasis: "100%" },
});

const Form = styled("form")({
  display: "flex",
  flexDirection: "column",
  minHeight: 0,
  height: "100%",
  "& > div": {
    flex: 1,
    display: "flex",
    flexDirection: "column",
    gap: 16,
    padding: "4px 20px 20px",
    overflowY: "auto",
  },
  // an alert does not scroll away
  "& > p": { margin: "0 20px 12px" },
});

const messages = defineMessages({
  pt: {
    save: "Salvar",
    cancel: "Cancelar",
    close: "Fechar",
  },
  en: {
    save: "Save",
    cancel: "Cancel",
    close: "Close",
  },
  es: {
    save: "Guardar",
    cancel: "Cancelar",
    close: "Cerrar",
  },
});

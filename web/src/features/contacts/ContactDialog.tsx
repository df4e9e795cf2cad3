import { styled } from "#web/ui/styled.ts";
import type { Contact, ContactBody } from "@prosa/contract/contacts";
import { Plus, Trash2 } from "lucide-react";
import { useRef } from "react";
import { useFieldArray, type UseFormReturn } from "react-hook-form";
import { ContactOptOut } from "#web/features/sending/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { Input, TextField } from "#web/ui/fields/Field.tsx";
import { FormDialog, wordsBelowFields } from "#web/ui/dialogs/FormDialog.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { color } from "#web/ui/theme.ts";
import { useSaveContact } from "./contact-list.api.ts";
import { contactMessages } from "./contacts.i18n.ts";
import { knownExtraInfo } from "./known-extra-info.ts";

/** Which field each error code of the server belongs to. */
export const contactFieldOfError = { ERR_DUPLICATED_CONTACT: "number", ERR_WAPP_INVALID_CONTACT: "number" } as const;

/** Adds or edits a contact with its extra information (C-02, C-03). */
export function ContactDialog(props: {
  /** Absent to add one. */
  readonly contact?: Contact | undefined;
  readonly onClose: () => void;
  readonly onSaved?: (contact: Contact) => void;
}) {
  const { contact } = props;
  const t = useMessages(contactMessages);
  const save = useSaveContact(contact?.id);
  const { name = "", number = "", email = "", extraInfo = [] } = contact ?? {};
  // As the form opened: the contact given may be another one after a colleague's change.
  const opened = useRef(extraInfo);
  const tried = useRef<Contact["extraInfo"][]>([]);

  return (
    <FormDialog<ContactBody>
      title={t(contact ? "edit" : "add")}
      values={{ name, number, email, extraInfo }}
      schema={() =>
        import("#schemas/contacts").then((module) =>
          number === "" && contact ? module.contactChanges : module.contactBody,
        )
      }
      onSave={async (whole, changed) => {
        const known = changed.extraInfo && {
          knownExtraInfo: knownExtraInfo(whole.extraInfo, { opened: opened.current, tried: tried.current }),
        };
        tried.current = [...tried.current, whole.extraInfo];
        const saved = await save.mutateAsync({ whole, changed: { ...changed, ...known } });
        props.onSaved?.(saved);
      }}
      onClose={props.onClose}
      savedText={t("saved")}
      fieldOfError={contactFieldOfError}
    >
      {(form, errorOf) => (
        <>
          <TextField label={t("name")} {...form.register("name")} error={errorOf("name")} autoComplete="off" />
          <TextField
            label={t("number")}
            inputMode="tel"
            hint={t("numberHint")}
            {...form.register("number")}
            error={errorOf("number")}
          />
          <TextField label={t("email")} type="email" isOptional {...form.register("email")} error={errorOf("email")} />
          <ExtraInfo form={form} />
          {contact && !contact.isGroup && (
            <Campaigns>
              <ContactOptOut contactId={contact.id} onLeave={props.onClose} />
            </Campaigns>
          )}
        </>
      )}
    </FormDialog>
  );
}

/** The extra information: pairs of name and value. */
function ExtraInfo({ form }: { readonly form: UseFormReturn<ContactBody> }) {
  const t = useMessages(contactMessages);
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "extraInfo" });
  const errors = form.formState.errors as Readonly<Record<string, { readonly message?: string } | undefined>>;

  return (
    <Pairs>
      <legend>{t("extra")}</legend>
      {fields.length === 0 && <p>{t("noExtra")}</p>}
      {fields.map((field, index) => (
        <Pair key={field.id}>
          <Input
            aria-label={t("extraName")}
            placeholder={t("extraName")}
            aria-invalid={errors[`extraInfo.${index}.name`] !== undefined || undefined}
            {...form.register(`extraInfo.${index}.name`)}
          />
          <Input
            aria-label={t("extraValue")}
            placeholder={t("extraValue")}
            {...form.register(`extraInfo.${index}.value`)}
          />
          <IconButton label={t("removeExtra", { name: field.name })} onClick={() => remove(index)}>
            <Trash2 />
          </IconButton>
          {errors[`extraInfo.${index}.name`] && (
            <small role="alert">{errors[`extraInfo.${index}.name`]?.message}</small>
          )}
        </Pair>
      ))}
      <div>
        <Button kind="quiet" icon={<Plus size={16} />} onClick={() => append({ name: "", value: "" })}>
          {t("addExtra")}
        </Button>
      </div>
    </Pairs>
  );
}

/** As wide as the fields; nothing while it is fetched. */
const Campaigns = styled("div")({ "&:empty": { display: "none" }, "& > section": { paddingInline: 0 } });
const Pairs = styled("fieldset")({
  display: "flex",
  flexDirection: "column",
  gap: 8,
  margin: 0,
  padding: 0,
  border: 0,
  minWidth: 0,
  "& legend": { padding: 0, marginBottom: 4, fontSize: 13, fontWeight: 500 },
  "& > p": { fontSize: 13, color: color.ink2 },
  "& > div:last-child": wordsBelowFields,
});
const Pair = styled("div")({
  display: "grid",
  gridTemplateColumns: "minmax(0, 2fr) minmax(0, 3fr) auto",
  gap: 8,
  "& small": { gridColumn: "1 / -1", fontSize: 12, color: color.danger },
});

import type { ContactSummary } from "@prosa/contract/contacts";
import type { Ticket } from "@prosa/contract/tickets";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useConnections } from "#web/features/connections/index.ts";
import { contactFieldOfError, ContactFinder, contactMessages, useSaveContact } from "#web/features/contacts/index.ts";
import { useCreateTicket } from "#web/features/tickets/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { TextField } from "#web/ui/fields/Field.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { queuesOptions } from "#web/features/queues/index.ts";
import { deskMessages } from "./desk.i18n.ts";
import { openOrExplain } from "./conversation/otherTicket.ts";

interface Values {
  readonly contact: ContactSummary | null;
  /** The contact is created first, from name and number. */
  readonly isNew: boolean;
  readonly name: string;
  readonly number: string;
  readonly queueId: string;
  readonly whatsappId: string;
}

/** Opens a ticket with a contact (T-15). If the contact has one already, that is opened or its agent is named (T-16). */
export function NewTicketDialog(props: {
  readonly contact?: ContactSummary;
  readonly onOpen: (ticket: Pick<Ticket, "uuid">) => void;
  readonly onClose: () => void;
}) {
  const t = useMessages(deskMessages);
  const contactTexts = useMessages(contactMessages);
  const user = useUser();
  const create = useCreateTicket();
  const all = useQuery({ ...queuesOptions, enabled: isAdmin(user) }).data ?? [];
  const queues = isAdmin(user) ? all : user.queues;
  const connections = useConnections().data ?? [];
  // A created contact is used again when creating the ticket failed after it; with what was corrected since then.
  const [created, setCreated] = useState<{ readonly typed: string; readonly contact: ContactSummary }>();
  const saveContact = useSaveContact(created?.contact.id);

  const contactOf = async ({ contact, name, number }: Values): Promise<ContactSummary> => {
    const typed = JSON.stringify([name, number]);
    if (contact) {
      return contact;
    }
    if (created?.typed === typed) {
      return created.contact;
    }
    const whole = { name, number, email: "", extraInfo: [] };
    const saved = await saveContact.mutateAsync({ whole, changed: { name, number } });
    setCreated({ typed, contact: saved });
    return saved;
  };

  const save = async (values: Values) => {
    const { id: contactId } = await contactOf(values);
    const open = () =>
      create.mutateAsync({
        contactId,
        queueId: values.queueId === "" ? null : Number(values.queueId),
        whatsappId: values.whatsappId === "" ? null : Number(values.whatsappId),
        userId: user.id,
      });
    await openOrExplain(open, { userId: user.id, onOpen: props.onOpen, t });
  };

  return (
    <FormDialog<Values>
      title={t("newTitle")}
      values={{
        contact: props.contact ?? null,
        isNew: false,
        name: "",
        number: "",
        queueId: queues.length === 1 ? String(queues[0]?.id ?? "") : "",
        whatsappId: "",
      }}
      verb={t("newVerb")}
      width="xs"
      onSave={save}
      onClose={props.onClose}
      fieldOfError={contactFieldOfError}
    >
      {(form, errorOf) => {
        const isNew = form.watch("isNew");
        const contact = form.watch("contact");
        // Required: an existing contact, or the fields of a new one.
        form.register("contact", {
          validate: (chosen, values) => chosen !== null || values.isNew || t("contactMissing"),
        });
        return (
          <>
            {!isNew ? (
              <ContactFinder
                chosen={contact ?? undefined}
                error={errorOf("contact")}
                onChoose={(chosen) =>
                  form.setValue("contact", chosen ?? null, { shouldDirty: true, shouldValidate: true })
                }
                onCreate={(typed) => {
                  form.setValue("isNew", true, { shouldDirty: true });
                  form.setValue("name", typed);
                }}
              />
            ) : (
              <>
                <TextField label={contactTexts("name")} {...form.register("name")} error={errorOf("name")} />
                <TextField
                  label={contactTexts("number")}
                  hint={contactTexts("numberHint")}
                  inputMode="tel"
                  autoFocus
                  {...form.register("number")}
                  error={errorOf("number")}
                />
              </>
            )}
            <SelectField
              label={t("queue")}
              {...(isAdmin(user) && { isOptional: true })}
              {...form.register("queueId", { required: isAdmin(user) ? false : t("queueMissing") })}
              error={errorOf("queueId")}
            >
              <option value="">{t(isAdmin(user) ? "noQueueChoice" : "chooseQueue")}</option>
              {queues.map((queue) => (
                <option key={queue.id} value={queue.id}>
                  {queue.name}
                </option>
              ))}
            </SelectField>
            <SelectField label={t("connection")} isOptional {...form.register("whatsappId")}>
              <option value="">{t("defaultConnection")}</option>
              {connections.map((connection) => (
                <option key={connection.id} value={connection.id}>
                  {connection.name}
                </option>
              ))}
            </SelectField>
          </>
        );
      }}
    </FormDialog>
  );
}

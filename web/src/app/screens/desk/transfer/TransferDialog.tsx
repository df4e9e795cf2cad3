import { noteRules } from "@prosa/contract/notes";
import type { Ticket } from "@prosa/contract/tickets";
import { useQuery } from "@tanstack/react-query";
import { useRef, type KeyboardEvent } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useConnections } from "#web/features/connections/index.ts";
import { queuesOptions } from "#web/features/queues/index.ts";
import { transferTargetsOptions, useTransferTicket } from "#web/features/tickets/index.ts";
import { ApiError } from "#web/lib/api/apiError.ts";
import { isSendKey } from "#web/lib/browser/field-keys.ts";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { TextArea } from "#web/ui/fields/Field.tsx";
import { FieldRow, FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { media } from "#web/ui/theme.ts";
import { otherTicketOf, otherTicketText } from "#web/app/screens/desk/conversation/otherTicket.ts";
import { deskMessages } from "#web/app/screens/desk/desk.i18n.ts";
import { TargetPicker } from "./TargetPicker.tsx";
import { matchTargets, queueFor, targetKey, targetName, type Target } from "./transfer-targets.ts";
import { transferMessages } from "./transfer.i18n.ts";

interface Values {
  /** Its `targetKey`. */
  readonly target: string;
  readonly queueId: string;
  readonly whatsappId: string;
  readonly note: string;
}

/** Transfers the ticket to a person, or to a queue, where it waits; with a note for whoever takes it on (T-14). */
export function TransferDialog(props: {
  readonly ticket: Ticket;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const { ticket } = props;
  const t = useMessages(deskMessages);
  const own = useMessages(transferMessages);
  const transfer = useTransferTicket();
  const { targets, isLoading } = useTargets(ticket);

  return (
    <FormDialog<Values>
      title={t("transferTitle", { name: ticket.contact.name || ticket.contact.number })}
      values={{ target: "", queueId: "", whatsappId: "", note: "" }}
      verb={t("transfer")}
      onSave={async ({ target: key, queueId, whatsappId, note }) => {
        const target = find(targets(""), key);
        if (!target) {
          // Gone since it was chosen: the picker is there again.
          toast.error(own("targetGone"));
          return false;
        }
        try {
          await transfer.mutateAsync({
            ticketId: ticket.id,
            userId: target.kind === "user" ? target.user.id : null,
            queueId: target.kind === "queue" ? target.queue.id : queueId === "" ? null : Number(queueId),
            whatsappId: whatsappId === "" ? null : Number(whatsappId),
            note,
          });
        } catch (error) {
          // The contact is being served, or waits, on the chosen connection.
          const other = error instanceof ApiError ? otherTicketOf(error) : undefined;
          if (!other) {
            throw error;
          }
          toast.error(otherTicketText(other, t));
          return false;
        }
        toast.success(own("transferredTo", { name: targetName(target) }));
        props.onDone();
      }}
      onClose={props.onClose}
    >
      {(form, errorOf, close) => <Fields {...{ ticket, form, errorOf, targets, isLoading }} onEscape={close} />}
    </FormDialog>
  );
}

type Targets = ReturnType<typeof matchTargets>;

function useTargets(ticket: Ticket): { readonly targets: (text: string) => Targets; readonly isLoading: boolean } {
  const users = useQuery(transferTargetsOptions);
  const queues = useQuery(queuesOptions);
  return {
    targets: (text) => matchTargets(ticket, users.data ?? [], queues.data ?? [], text),
    isLoading: users.isPending || queues.isPending,
  };
}

function find({ people, queues }: Targets, key: string): Target | undefined {
  return [...people, ...queues].find((target) => targetKey(target) === key);
}

function Fields(props: {
  readonly ticket: Ticket;
  readonly form: UseFormReturn<Values>;
  readonly errorOf: (name: keyof Values) => string | undefined;
  readonly targets: (text: string) => Targets;
  readonly isLoading: boolean;
  readonly onEscape: () => void;
}) {
  const { ticket, form, errorOf } = props;
  const t = useMessages(transferMessages);
  const desk = useMessages(deskMessages);
  const isPhone = useMedia(media.phone);
  const connections = useConnections().data ?? [];
  const note = useRef<HTMLTextAreaElement | null>(null);
  const { ref, ...noteField } = form.register("note", {
    validate: (text) => text.trim().length === 0 || text.trim().length >= noteRules.minLetters || t("noteTooShort"),
  });
  form.register("target", { required: t("toMissing") });
  const chosen = find(props.targets(""), form.watch("target"));
  const served = chosen?.kind === "user" ? chosen.user.queues : [];

  const choose = (target: Target | undefined) => {
    form.setValue("target", target ? targetKey(target) : "", { shouldDirty: true });
    form.clearErrors("target");
    const queueId = target?.kind === "user" ? queueFor(target.user, ticket) : null;
    form.setValue("queueId", queueId === null ? "" : String(queueId));
    if (target) {
      note.current?.focus();
    }
  };

  return (
    <>
      <TargetPicker
        chosen={chosen}
        isLoading={props.isLoading}
        error={errorOf("target")}
        match={props.targets}
        onChoose={choose}
        onEscape={props.onEscape}
      />
      <TextArea
        label={t(chosen?.kind === "queue" ? "noteOfQueue" : "note")}
        hint={isPhone ? t("noteHint") : `${t("noteHint")} ${t("noteKey")}`}
        isOptional
        rows={2}
        maxLength={noteRules.maxLetters}
        error={errorOf("note")}
        onKeyDown={submitOnEnter}
        {...noteField}
        ref={(element) => {
          ref(element);
          note.current = element;
        }}
      />
      <FieldRow>
        {served.length > 1 && (
          <SelectField label={t("inQueue")} {...form.register("queueId")}>
            {served.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        {connections.some(({ id }) => id !== ticket.whatsappId) && (
          <SelectField label={desk("connection")} isOptional {...form.register("whatsappId")}>
            <option value="">{desk("sameConnection", { name: ticket.whatsapp?.name ?? "–" })}</option>
            {connections
              .filter(({ id }) => id !== ticket.whatsappId)
              .map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
          </SelectField>
        )}
      </FieldRow>
    </>
  );
}

/** A note is a line or two: Enter transfers, Shift and Enter begins another line. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (isSendKey(event)) {
    event.currentTarget.form?.requestSubmit();
  }
}

import type { InvitationBody, InvitationLink } from "@prosa/contract/invitations";
import { profiles } from "@prosa/contract/permissions";
import { useMessages } from "#web/lib/text/i18n.ts";
import { TextField } from "#web/ui/fields/Field.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { QueuePicker } from "./QueuePicker.tsx";
import { useInvite } from "./invitations.api.ts";
import { useKnownQueues } from "./users.api.ts";
import { userMessages } from "./users.i18n.ts";

/** Invites somebody by a link (Z-05); `onInvited` gets the link, which is shown once. */
export function InviteDialog(props: {
  readonly onInvited: (link: InvitationLink) => void;
  readonly onClose: () => void;
}) {
  const t = useMessages(userMessages);
  const invite = useInvite();
  const knownOf = useKnownQueues();
  return (
    <FormDialog<InvitationBody>
      title={t("inviteTitle")}
      values={{ name: "", email: "", profile: "user", queueIds: [] }}
      schema={() => import("#schemas/invitations").then((module) => module.invitationBody)}
      fieldOfError={{ ERR_EMAIL_TAKEN: "email" }}
      verb={t("inviteVerb")}
      onSave={async (body) => props.onInvited(await invite.mutateAsync({ ...body, queueIds: knownOf(body.queueIds) }))}
      onClose={props.onClose}
    >
      {(form, errorOf) => (
        <>
          <TextField
            label={t("email")}
            type="email"
            autoComplete="off"
            error={errorOf("email")}
            {...form.register("email")}
          />
          <TextField
            label={t("name")}
            hint={t("inviteNameHint")}
            isOptional
            autoComplete="off"
            error={errorOf("name")}
            {...form.register("name")}
          />
          <SelectField label={t("profile")} error={errorOf("profile")} {...form.register("profile")}>
            {profiles.map((profile) => (
              <option key={profile} value={profile}>
                {t(`profile_${profile}`)}
              </option>
            ))}
          </SelectField>
          <QueuePicker
            chosen={form.watch("queueIds")}
            onChange={(ids) => form.setValue("queueIds", ids, { shouldDirty: true })}
          />
        </>
      )}
    </FormDialog>
  );
}

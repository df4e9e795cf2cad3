import { profiles } from "@prosa/contract/permissions";
import type { User, UserBody } from "@prosa/contract/users";
import { useMessages } from "#web/lib/text/i18n.ts";
import { useCan } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { PasswordField, SwitchField, TextField } from "#web/ui/fields/Field.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { useMergedChoice } from "#web/ui/fields/merged-choice.ts";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { ResetFactor } from "./ResetFactor.tsx";
import { QueuePicker } from "./QueuePicker.tsx";
import { queueIdsOf, useKnownQueues, useNewestQueues, usersResource } from "./users.api.ts";
import { userMessages } from "./users.i18n.ts";

type UserForm = UserBody & { readonly currentPassword: string };

/** Adds or edits a user (U-02). Fields that the rights do not allow are hidden (U-03). */
export function UserDialog(props: {
  readonly user: User | undefined;
  /** The choices of the default connection. */
  readonly connections: readonly { readonly id: number; readonly name: string }[];
  readonly onClose: () => void;
}) {
  const { user, connections, onClose } = props;
  const t = useMessages(userMessages);
  const save = usersResource.useSave();
  const knownOf = useKnownQueues();
  const newestQueuesOf = useNewestQueues();
  const merged = useMergedChoice(queueIdsOf(user));
  const me = useUser();
  const canEditProfile = useCan("user-modal:editProfile");
  const canEditQueues = useCan("user-modal:editQueues");

  return (
    <FormDialog<UserForm>
      title={t(user ? "edit" : "add")}
      values={valuesOf(user)}
      schema={() => import("#schemas/users").then((module) => (user ? module.userChanges : module.userBody))}
      fieldOfError={{
        ERR_EMAIL_TAKEN: "email",
        ERR_NO_WAPP_FOUND: "whatsappId",
        ERR_WRONG_PASSWORD: "currentPassword",
      }}
      savedText={t("saved")}
      onSave={(whole, changed) => {
        const body = user ? changed : whole;
        const queues = body.queueIds && { queueIds: knownOf(merged(body.queueIds, newestQueuesOf(user))) };
        return save.mutateAsync({ id: user?.id, body: { ...body, ...queues } });
      }}
      onClose={onClose}
    >
      {(form, errorOf) => (
        <>
          <TextField label={t("name")} autoComplete="off" error={errorOf("name")} {...form.register("name")} />
          <TextField
            label={t("email")}
            type="email"
            autoComplete="off"
            error={errorOf("email")}
            {...form.register("email")}
          />
          <PasswordField
            label={t(user ? "newPassword" : "password")}
            hint={user && t("newPasswordHint")}
            autoComplete="new-password"
            {...(user && { isOptional: true })}
            error={errorOf("password")}
            {...form.register("password")}
          />
          {user?.id === me.id &&
            (form.watch("password") !== "" || form.watch("email").trim().toLowerCase() !== user.email) && (
              <PasswordField
                label={t("currentPassword")}
                hint={t("currentPasswordHint")}
                autoComplete="current-password"
                error={errorOf("currentPassword")}
                {...form.register("currentPassword")}
              />
            )}
          {user && user.id !== me.id && <ResetFactor user={user} />}
          {canEditProfile && (
            <>
              <SelectField
                label={t("profile")}
                disabled={user?.id === me.id}
                hint={user?.id === me.id ? t("ownProfile") : undefined}
                error={errorOf("profile")}
                {...form.register("profile")}
              >
                {profiles.map((profile) => (
                  <option key={profile} value={profile}>
                    {t(`profile_${profile}`)}
                  </option>
                ))}
              </SelectField>
              <SelectField
                label={t("connection")}
                error={errorOf("whatsappId")}
                {...form.register("whatsappId", {
                  setValueAs: (value: unknown) => (value === "" || value === null ? null : Number(value)),
                })}
              >
                <option value="">{t("noConnection")}</option>
                {connections.map((connection) => (
                  <option key={connection.id} value={connection.id}>
                    {connection.name}
                  </option>
                ))}
              </SelectField>
              <SwitchField
                label={t("allTicket")}
                hint={t("allTicketHint")}
                checked={form.watch("allTicket") === "enabled"}
                onChange={({ target }) =>
                  form.setValue("allTicket", target.checked ? "enabled" : "desabled", { shouldDirty: true })
                }
              />
            </>
          )}
          {canEditQueues && (
            <QueuePicker
              chosen={form.watch("queueIds")}
              onChange={(ids) => form.setValue("queueIds", ids, { shouldDirty: true })}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

function valuesOf(user: User | undefined): UserForm {
  return {
    name: user?.name ?? "",
    email: user?.email ?? "",
    password: "",
    currentPassword: "",
    profile: user?.profile ?? "user",
    allTicket: user?.allTicket ?? "desabled",
    whatsappId: user?.whatsappId ?? null,
    queueIds: queueIdsOf(user),
  };
}

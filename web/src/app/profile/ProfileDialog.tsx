import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { users } from "@prosa/contract/users";
import { call, updateSessionUser, useUser } from "#web/lib/session/session.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { PasswordField, TextField } from "#web/ui/fields/Field.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";

const SecurityDialog = lateDialog(async () => (await import("#web/features/auth/index.ts")).SecurityDialog);

interface Profile {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly currentPassword: string;
}

/** The signed-in person's own name, e-mail and password (S-10). */
export function ProfileDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages(messages);
  const user = useUser();
  const [isSecurity, setSecurity] = useState(false);
  const save = async (_whole: Profile, changed: Partial<Profile>) => {
    const { name, email } = await call(users.update, { params: { id: user.id }, body: changed });
    updateSessionUser({ name, email });
  };

  return (
    <>
      <FormDialog<Profile>
        title={t("title")}
        values={{ name: user.name, email: user.email, password: "", currentPassword: "" }}
        schema={ownRules}
        fieldOfError={{ ERR_EMAIL_TAKEN: "email", ERR_WRONG_PASSWORD: "currentPassword" }}
        savedText={t("saved")}
        width="xs"
        onSave={save}
        onClose={onClose}
      >
        {({ register, watch }, errorOf) => (
          <>
            <TextField label={t("name")} autoComplete="name" error={errorOf("name")} {...register("name")} />
            <TextField
              label={t("email")}
              type="email"
              autoComplete="email"
              error={errorOf("email")}
              {...register("email")}
            />
            <PasswordField
              label={t("password")}
              hint={t("passwordHint")}
              autoComplete="new-password"
              isOptional
              error={errorOf("password")}
              {...register("password")}
            />
            {(watch("password") !== "" || watch("email").trim().toLowerCase() !== user.email) && (
              <PasswordField
                label={t("currentPassword")}
                hint={t("currentPasswordHint")}
                autoComplete="current-password"
                error={errorOf("currentPassword")}
                {...register("currentPassword")}
              />
            )}
            <Button icon={<ShieldCheck size={16} />} onClick={() => setSecurity(true)}>
              {t("security")}
            </Button>
          </>
        )}
      </FormDialog>
      {/* Over the form, where what was typed stays; not inside it, where a submit would reach it too. */}
      {isSecurity && <SecurityDialog onClose={() => setSecurity(false)} />}
    </>
  );
}

/** What is changed is sent; an empty password means unchanged. */
async function ownRules() {
  const { userBody, userChanges } = await import("#schemas/users");
  return userChanges.required({ name: true, email: true }).extend({ email: userBody.shape.email });
}

const messages = defineMessages({
  pt: {
    title: "Meu perfil",
    name: "Nome",
    email: "E-mail",
    password: "Nova senha",
    currentPassword: "Senha atual",
    currentPasswordHint: "Necessária para mudar o e-mail ou a senha.",
    passwordHint: "Deixe em branco para manter a senha atual.",
    saved: "Perfil salvo",
    security: "Segurança e sessões",
  },
  en: {
    title: "My profile",
    name: "Name",
    email: "Email",
    password: "New password",
    currentPassword: "Current password",
    currentPasswordHint: "Needed to change the email or the password.",
    passwordHint: "Leave it empty to keep the current password.",
    saved: "Profile saved",
    security: "Security and sessions",
  },
  es: {
    title: "Mi perfil",
    name: "Nombre",
    email: "Correo",
    password: "Nueva contraseña",
    currentPassword: "Contraseña actual",
    currentPasswordHint: "Necesaria para cambiar el correo o la contraseña.",
    passwordHint: "Déjela en blanco para mantener la contraseña actual.",
    saved: "Perfil guardado",
    security: "Seguridad y sesiones",
  },
});

import { passwordResets } from "@prosa/contract/password-resets";
import { useState } from "react";
import { ApiError } from "#web/lib/api/apiError.ts";
import { navigate } from "#web/lib/routing/location.ts";
import { Link } from "#web/lib/routing/router.tsx";
import { callPublic } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { PasswordField, TextField } from "#web/ui/fields/Field.tsx";
import { RulesAlert } from "#web/ui/fields/RulesAlert.tsx";
import { useContractForm } from "#web/ui/fields/useContractForm.ts";
import { styled } from "#web/ui/styled.ts";
import { toast } from "#web/ui/Toast.tsx";
import { PublicForm, PublicPage } from "../PublicPage.tsx";
import { useRefusal } from "../useRefusal.ts";
import { forgetPasswordMessages } from "./forgetPassword.i18n.ts";

/** /forgetpsw: e-mail first, then the code of the mail and a new password. */
export function ForgetPassword() {
  const t = useMessages(forgetPasswordMessages);
  const [email, setEmail] = useState("");
  const [step, setStep] = useState<"email" | "code">("email");
  return (
    <PublicPage>
      <h1>{t("title")}</h1>
      {step === "email" ? (
        <EmailStep
          email={email}
          onCode={(given) => {
            setEmail(given);
            setStep("code");
          }}
        />
      ) : (
        <CodeStep email={email} onOtherEmail={() => setStep("email")} />
      )}
      <footer>
        <Link to="/login">{t("toLogin")}</Link>
      </footer>
    </PublicPage>
  );
}

/** Has a code mailed; false where that failed, which is shown. */
function useSendCode(): (email: string) => Promise<boolean> {
  const t = useMessages(forgetPasswordMessages);
  return async (email) => {
    try {
      await callPublic(passwordResets.request, { params: { email } });
      toast.success(t("sent"));
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        toast.error(t("unknown"));
      } else {
        toast.failure(error);
      }
      return false;
    }
  };
}

function EmailStep(props: { readonly email: string; readonly onCode: (email: string) => void }) {
  const t = useMessages(forgetPasswordMessages);
  const sendCode = useSendCode();
  const form = useContractForm<{ email: string }>({
    defaultValues: { email: props.email },
    schema: () => import("#schemas/password-resets").then(({ passwordReset }) => passwordReset.pick({ email: true })),
  });
  const { errors, isSubmitting } = form.formState;
  const send = async ({ email }: { email: string }) => {
    if (await sendCode(email.trim())) {
      props.onCode(email.trim());
    } else {
      form.setFocus("email");
    }
  };

  return (
    <>
      <p>{t("lead")}</p>
      <PublicForm noValidate aria-label={t("title")} onSubmit={(event) => void form.handleSubmit(send)(event)}>
        <TextField
          label={t("email")}
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          error={errors.email?.message}
          {...form.register("email")}
        />
        <RulesAlert errors={errors} />
        <Button kind="primary" type="submit" size="large" fullWidth isBusy={isSubmitting}>
          {t("send")}
        </Button>
        <Button
          kind="quiet"
          fullWidth
          onClick={() => void form.handleSubmit(({ email }) => props.onCode(email.trim()))()}
        >
          {t("haveCode")}
        </Button>
      </PublicForm>
    </>
  );
}

interface NewPassword {
  readonly email: string;
  token: string;
  password: string;
  confirmation: string;
}

function CodeStep({ email, onOtherEmail }: { readonly email: string; readonly onOtherEmail: () => void }) {
  const t = useMessages(forgetPasswordMessages);
  const sendCode = useSendCode();
  const [isSending, setSending] = useState(false);
  const form = useContractForm<NewPassword>({
    defaultValues: { email, token: "", password: "", confirmation: "" },
    schema: () => import("#schemas/password-resets").then(({ passwordResetForm }) => passwordResetForm),
  });
  const { errors, isSubmitting } = form.formState;
  const showRefusal = useRefusal(form, { ERR_RESET_CODE: "token" });

  const reset = async ({ confirmation: _same, ...body }: NewPassword) => {
    try {
      await callPublic(passwordResets.reset, { body });
      toast.success(t("done"));
      navigate("/login", { replace: true });
    } catch (error) {
      showRefusal(error);
    }
  };
  const sendAnother = async () => {
    setSending(true);
    await sendCode(email);
    setSending(false);
    form.setFocus("token");
  };

  return (
    <>
      <p>{t("codeLead", { email })}</p>
      <PublicForm noValidate aria-label={t("title")} onSubmit={(event) => void form.handleSubmit(reset)(event)}>
        <TextField
          label={t("code")}
          hint={t("codeHint")}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          placeholder="XXXXX-XXXXX"
          error={errors.token?.message}
          {...form.register("token")}
        />
        <PasswordField
          label={t("password")}
          hint={t("passwordHint")}
          autoComplete="new-password"
          error={errors.password?.message}
          {...form.register("password", { deps: ["confirmation"] })}
        />
        <PasswordField
          label={t("confirmation")}
          autoComplete="new-password"
          error={errors.confirmation?.message}
          {...form.register("confirmation")}
        />
        <RulesAlert errors={errors} />
        <Button kind="primary" type="submit" size="large" fullWidth isBusy={isSubmitting}>
          {t("reset")}
        </Button>
        <Others>
          <Button kind="quiet" isBusy={isSending} onClick={() => void sendAnother()}>
            {t("again")}
          </Button>
          <Button kind="quiet" onClick={onOtherEmail}>
            {t("otherEmail")}
          </Button>
        </Others>
      </PublicForm>
    </>
  );
}

const Others = styled("div")({ display: "flex", flexWrap: "wrap", justifyContent: "space-between", gap: 8 });

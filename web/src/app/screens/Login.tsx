import { CircleAlert } from "lucide-react";
import { lazy, useRef, useState, type ComponentProps, type FormEvent } from "react";
import { ApiError } from "#web/lib/api/apiError.ts";
import { Link } from "#web/lib/routing/router.tsx";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { signIn, wasSignedInElsewhere } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { PasswordField, TextField } from "#web/ui/fields/Field.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { SourceLink } from "#web/app/shell/SourceLink.tsx";
import { loginMessages } from "./login.i18n.ts";
import { loginErrorText } from "./loginError.ts";
import { PublicForm, PublicPage } from "./PublicPage.tsx";

// `lazy` itself: it is the whole screen, and after a release only a reload brings it.
const SecondStep = lazy(async () => ({ default: (await import("#web/features/auth/index.ts")).SecondStep }));
type Step = Pick<ComponentProps<typeof SecondStep>, "kind" | "ticket">;

/** /login. Errors are toasts of 6 s. */
export function Login() {
  const t = useMessages(loginMessages);
  const [step, setStep] = useState<Step>();
  if (step) {
    return (
      <PublicPage>
        <SecondStep {...step} onBack={() => setStep(undefined)} />
      </PublicPage>
    );
  }
  return (
    <PublicPage>
      <h1>{t("welcome")}</h1>
      <p>{t("lead")}</p>
      {wasSignedInElsewhere() && (
        <Elsewhere role="alert">
          <CircleAlert aria-hidden size={18} />
          <span>{t("elsewhere")}</span>
        </Elsewhere>
      )}
      <LoginForm onStep={setStep} />
      <footer>
        <p>
          {t("noAccount")} <Link to="/signup">{t("signup")}</Link>
        </p>
        <SourceLink />
      </footer>
    </PublicPage>
  );
}

function LoginForm({ onStep }: { readonly onStep: (step: Step) => void }) {
  const t = useMessages(loginMessages);
  const language = useLanguage();
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());
  const form = useRef<HTMLFormElement>(null);

  const focus = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus();

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const email = textOf(data.get("email")).trim();
    const password = textOf(data.get("password"));
    const missing = [email === "" && "email", password === "" && "password"].filter((name) => name !== false);
    setWrong(new Set(missing));
    if (missing[0] !== undefined) {
      toast.error(t("required"));
      focus(missing[0]);
      return;
    }
    setBusy(true);
    try {
      await signIn(email, password);
      toast.success(t("done"));
    } catch (error) {
      if (error instanceof ApiError && typeof error.details.ticket === "string") {
        onStep({ kind: error.code as Step["kind"], ticket: error.details.ticket });
        return;
      }
      toast.error(loginErrorText(error, language));
      setBusy(false);
      focus("password");
    }
  };

  return (
    <PublicForm ref={form} noValidate onSubmit={(event) => void submit(event)} aria-label={t("title")}>
      <TextField
        label={t("email")}
        name="email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        aria-required
        data-wrong={wrong.has("email") || undefined}
      />
      <PasswordField
        label={t("password")}
        name="password"
        autoComplete="current-password"
        aria-required
        data-wrong={wrong.has("password") || undefined}
      />
      <Link to="/forgetpsw">{t("forgot")}</Link>
      <Button kind="primary" type="submit" size="large" fullWidth isBusy={isBusy}>
        {t("enter")}
      </Button>
      <Button fullWidth onClick={() => void import("#web/features/auth/index.ts").then((it) => it.signInWithPasskey())}>
        {t("passkey")}
      </Button>
    </PublicForm>
  );
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value : "";
}

const Elsewhere = styled("div")({
  display: "flex",
  gap: 8,
  marginTop: 16,
  padding: "10px 12px",
  borderRadius: 8,
  backgroundColor: color.note,
  "& > svg": { flex: "none", marginTop: 1, color: color.warningInk },
});

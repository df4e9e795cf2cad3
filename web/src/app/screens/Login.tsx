import { styled } from "#web/ui/styled.ts";
import { Moon, Sun } from "lucide-react";
import { useRef, useState, type FormEvent } from "react";
import { Link } from "#web/lib/routing/router.tsx";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { signIn } from "#web/lib/session/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { PasswordField, TextField } from "#web/ui/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { LanguagePicker } from "#web/app/shell/LanguagePicker.tsx";
import { Logo } from "#web/app/shell/Logo.tsx";
import { builtPaths, publicScreens } from "#web/app/routing/screens.ts";
import { SourceLink } from "#web/app/shell/SourceLink.tsx";
import { switchTheme, useTheme } from "#web/app/shell/themeMode.ts";
import { loginMessages } from "./login.i18n.ts";
import { loginErrorText } from "./loginError.ts";
import { LoginScene } from "./LoginScene.tsx";

/** /login. Errors are toasts of 6 s. */
export function Login() {
  const t = useMessages(loginMessages);
  const theme = useTheme();
  const built = builtPaths(publicScreens);
  return (
    <Page>
      <Side>
        <header>
          <Brand>
            <Logo size={28} />
            Prosa
          </Brand>
          <LanguagePicker label={t("language")} />
          <IconButton label={theme === "dark" ? t("light") : t("dark")} onClick={switchTheme}>
            {theme === "dark" ? <Sun /> : <Moon />}
          </IconButton>
        </header>
        <main>
          <h1>{t("welcome")}</h1>
          <p>{t("lead")}</p>
          <LoginForm canReset={built.has("/forgetpsw")} />
          <footer>
            {built.has("/signup") && (
              <p>
                {t("noAccount")} <Link to="/signup">{t("signup")}</Link>
              </p>
            )}
            <SourceLink />
          </footer>
        </main>
      </Side>
      <LoginScene />
    </Page>
  );
}

function LoginForm({ canReset }: { readonly canReset: boolean }) {
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
      toast.error(loginErrorText(error, language));
      setBusy(false);
      focus("password");
    }
  };

  return (
    <Form ref={form} noValidate onSubmit={(event) => void submit(event)} aria-label={t("title")}>
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
      {canReset && <Link to="/forgetpsw">{t("forgot")}</Link>}
      <Button kind="primary" type="submit" size="large" fullWidth isBusy={isBusy}>
        {t("enter")}
      </Button>
    </Form>
  );
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value : "";
}

const Page = styled("div")({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  minHeight: "100%",
  height: "100dvh",
  overflow: "auto",
  backgroundColor: color.panel,
  "@media (min-width: 960px)": { gridTemplateColumns: "minmax(420px, 5fr) 6fr" },
});

const Side = styled("div")({
  display: "flex",
  flexDirection: "column",
  minWidth: 0,
  minHeight: "100%",
  padding:
    "16px max(20px, env(safe-area-inset-right)) max(24px, env(safe-area-inset-bottom)) max(20px, env(safe-area-inset-left))",
  "& > header": { display: "flex", alignItems: "center", gap: 4 },
  "& > main": { width: "100%", maxWidth: 368, margin: "auto", padding: "24px 0 8vh" },
  "& h1": { fontSize: 26, lineHeight: 1.2, fontWeight: 600, letterSpacing: "-0.02em" },
  "& main > p": { marginTop: 6, color: color.ink2 },
  "& main > footer": { marginTop: 20, fontSize: 13, color: color.ink2, textAlign: "center" },
  "& main a": { fontWeight: 500 },
});

const Brand = styled("div")({
  flex: 1,
  display: "flex",
  alignItems: "center",
  gap: 10,
  fontSize: 18,
  fontWeight: 600,
  letterSpacing: "-0.01em",
});

const Form = styled("form")({
  display: "flex",
  flexDirection: "column",
  gap: 16,
  marginTop: 28,
  "& a": { alignSelf: "flex-end", marginTop: -8, fontSize: 13 },
  "& input": { minHeight: 42 },
  "& input[data-wrong]": { borderColor: color.danger },
  "& button[type='submit']": { marginTop: 4 },
});

import { Moon, Sun } from "lucide-react";
import { Suspense, type ReactNode } from "react";
import { LanguagePicker } from "#web/app/shell/LanguagePicker.tsx";
import { Logo } from "#web/app/shell/Logo.tsx";
import { switchTheme, useTheme } from "#web/app/shell/themeMode.ts";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { loginMessages } from "./login.i18n.ts";

const wideWindow = "@media (min-width: 960px)";

// Decoration of wide windows: it does not hold back the form, nor take it away where it cannot be fetched.
const LoginScene = lazyOrNothing(async () => (await import("./LoginScene.tsx")).LoginScene);

/** The frame of a page for who is not signed in: brand, language and theme above it, a sample conversation beside it. */
export function PublicPage({ children }: { readonly children: ReactNode }) {
  const t = useMessages(loginMessages);
  const theme = useTheme();
  const isWide = useMedia(wideWindow);
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
        <main>{children}</main>
      </Side>
      {isWide && (
        <Suspense>
          <LoginScene />
        </Suspense>
      )}
    </Page>
  );
}

const Page = styled("div")({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr)",
  minHeight: "100%",
  height: "100dvh",
  overflow: "auto",
  backgroundColor: color.panel,
  [wideWindow]: { gridTemplateColumns: "minmax(420px, 5fr) 6fr" },
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

/** The form of such a page: one column with a wide button. */
export const PublicForm = styled("form")({
  display: "flex",
  flexDirection: "column",
  gap: 16,
  marginTop: 28,
  "& a": { alignSelf: "flex-end", marginTop: -8, fontSize: 13 },
  "& input": { minHeight: 42 },
  "& input[data-wrong]": { borderColor: color.danger },
  "& button[type='submit']": { marginTop: 4 },
});

import { Keyboard, Languages, LogOut, Moon, RotateCw, Sun } from "lucide-react";
import { appMessages } from "#web/app/app.i18n.ts";
import { useCommands } from "#web/lib/browser/commands.ts";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { navigate } from "#web/lib/routing/location.ts";
import { signOut } from "#web/lib/session/session.ts";
import { languageNames, languages, setLanguage, useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import type { MenuGroup } from "../menu.ts";
import { menuIcons } from "../menuIcons.ts";
import { switchTheme, useTheme } from "../themeMode.ts";
import type { PaletteEntry } from "./paletteEntry.ts";

/** The screens of the menu, and the actions of the open screen and of the app. */
export function useCommandEntries(groups: readonly MenuGroup[], onHelp: () => void) {
  const t = useMessages(appMessages);
  const theme = useTheme();
  const language = useLanguage();
  const ofScreen = useCommands();

  const screens: PaletteEntry[] = groups
    .flatMap(({ entries }) => entries)
    .map(({ key, path }) => ({ key, label: t(key), icon: menuIcons[key], run: () => navigate(path) }));
  const ofApp: PaletteEntry[] = [
    {
      key: "theme",
      label: theme === "dark" ? t("lightMode") : t("darkMode"),
      icon: theme === "dark" ? Sun : Moon,
      run: switchTheme,
    },
    ...languages
      .filter((other) => other !== language)
      .map((other) => ({
        key: `language-${other}`,
        label: `${t("language")}: ${languageNames[other]}`,
        icon: Languages,
        run: () => setLanguage(other),
      })),
    { key: "shortcuts", label: t("shortcuts"), icon: Keyboard, shortcut: shortcuts.help, run: onHelp },
    { key: "reload", label: t("reload"), icon: RotateCw, run: () => location.reload() },
    { key: "logout", label: t("logout"), icon: LogOut, run: () => void signOut() },
  ];
  return { screens, actions: [...ofScreen, ...ofApp] };
}

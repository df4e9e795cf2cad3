import { Keyboard, Languages, LogOut, Moon, RotateCw, Sun } from "lucide-react";
import { appMessages } from "#web/app/app.i18n.ts";
import { settingsTabLabels, settingsTabsOf } from "#web/app/screens/settingsTabs.ts";
import { settingsMessages, useSetting } from "#web/features/settings/index.ts";
import { useCommands } from "#web/lib/browser/commands.ts";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { navigate } from "#web/lib/routing/location.ts";
import { reloadPage, whenMayLeave } from "#web/lib/routing/router.tsx";
import { signOut, useUser } from "#web/lib/session/session.ts";
import { languageNames, languages, setLanguage, useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import type { MenuGroup } from "../menu.ts";
import { menuIcons } from "../menuIcons.ts";
import { switchTheme, useTheme } from "../themeMode.ts";
import type { PaletteEntry } from "./paletteEntry.ts";
import { paletteWords } from "./paletteWords.ts";

/** The screens of the menu, the tabs of the settings, and the actions of the open screen and of the app. */
export function useCommandEntries(groups: readonly MenuGroup[], onHelp: () => void) {
  const t = useMessages(appMessages);
  const theme = useTheme();
  const language = useLanguage();
  const ofScreen = useCommands();
  const user = useUser();
  const scheduleType = useSetting("scheduleType");
  const tabText = useMessages(settingsMessages);
  const words = useMessages(paletteWords);
  const akaOf = (key: string) => (isKnown(key) ? words(key) : undefined);

  const entries = groups.flatMap((group) => group.entries);
  const screens: PaletteEntry[] = entries.map(({ key, path }) => ({
    key,
    label: t(key),
    aka: akaOf(key),
    icon: menuIcons[key],
    run: () => navigate(path),
  }));
  const hasSettings = entries.some(({ key }) => key === "settings");
  const tabs: PaletteEntry[] = (hasSettings ? settingsTabsOf(user, scheduleType) : []).map((key) => ({
    key: `settings-${key}`,
    label: `${t("settings")}: ${tabText(settingsTabLabels[key])}`,
    aka: akaOf(key),
    icon: menuIcons.settings,
    run: () => navigate(`/settings?tab=${key}`),
  }));
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
    { key: "reload", label: t("reload"), icon: RotateCw, run: () => whenMayLeave(reloadPage) },
    { key: "logout", label: t("logout"), icon: LogOut, run: () => whenMayLeave(() => void signOut()) },
  ];
  return { screens, tabs, actions: [...ofScreen, ...ofApp] };
}

const isKnown = (key: string): key is keyof typeof paletteWords.pt => key in paletteWords.pt;

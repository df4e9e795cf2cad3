import { styled } from "#web/ui/styled.ts";
import type { ReactNode } from "react";
import { BellRing, Check, ListTodo, LogOut, Moon, RotateCw, Sun, UserRound } from "lucide-react";
import { leaveFor } from "#web/lib/browser/leave-guard.ts";
import { reloadPage, whenMayLeave } from "#web/lib/routing/router.tsx";
import { languageNames, languages, setLanguage, useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { signOut, useUser } from "#web/lib/session/session.ts";
import { OpenMenu, type MenuAction } from "#web/ui/Menu.tsx";
import { color } from "#web/ui/theme.ts";
import { appMessages } from "#web/app/app.i18n.ts";
import { builtPaths, privateScreens } from "#web/app/routing/screens.ts";
import { switchTheme, useTheme } from "./themeMode.ts";

export interface AccountActionsProps {
  readonly anchor: HTMLElement;
  readonly isPhone: boolean;
  /** The volume's slider, which the top bar has too. */
  readonly volume: ReactNode;
  readonly onProfile: () => void;
  readonly onNotifications: () => void;
  readonly onClose: () => void;
}

/** What the account menu offers: profile, tasks, language, sign out; on a phone also the tools that do not fit the top bar. */
export function AccountActions({ anchor, isPhone, volume, onProfile, onNotifications, onClose }: AccountActionsProps) {
  const t = useMessages(appMessages);
  const language = useLanguage();
  const theme = useTheme();
  const user = useUser();
  const built = builtPaths(privateScreens);
  const profileWords = { user: t("profileUser"), supervisor: t("profileSupervisor"), admin: t("profileAdmin") };

  const own: MenuAction[] = [
    { key: "profile", label: t("profile"), icon: <UserRound />, onSelect: onProfile },
    { key: "notifications", label: t("notifications"), icon: <BellRing />, onSelect: onNotifications },
  ];
  if (built.has("/todolist")) {
    own.push({
      key: "todolist",
      label: t("todolist"),
      icon: <ListTodo />,
      onSelect: () => leaveFor("/todolist"),
    });
  }

  const phoneTools: MenuAction[] = [
    {
      key: "theme",
      label: theme === "dark" ? t("lightMode") : t("darkMode"),
      icon: theme === "dark" ? <Sun /> : <Moon />,
      onSelect: switchTheme,
    },
    { key: "reload", label: t("reload"), icon: <RotateCw />, onSelect: () => whenMayLeave(reloadPage) },
  ];

  const choices: MenuAction[] = languages.map((key) => ({
    key,
    label: <span lang={key}>{languageNames[key]}</span>,
    icon: <Check style={{ visibility: key === language ? "visible" : "hidden" }} />,
    isSelected: key === language,
    onSelect: () => setLanguage(key),
  }));

  return (
    <OpenMenu
      anchor={anchor}
      onClose={onClose}
      header={
        <Who>
          <strong>{user.name}</strong>
          <span>{user.email}</span>
          <span>
            {profileWords[user.profile]} · {user.company.name}
          </span>
          {isPhone && volume}
        </Who>
      }
      actions={[
        ...own,
        ...(isPhone ? phoneTools : []),
        "line",
        ...choices,
        "line",
        { key: "logout", label: t("logout"), icon: <LogOut />, onSelect: () => whenMayLeave(() => void signOut()) },
      ]}
    />
  );
}

const Who = styled("div")({
  display: "flex",
  flexDirection: "column",
  fontSize: 12,
  color: color.ink2,
  overflowWrap: "anywhere",
  "& strong": { fontSize: 13, color: color.ink },
  "& > div": { padding: "14px 0 4px" },
});

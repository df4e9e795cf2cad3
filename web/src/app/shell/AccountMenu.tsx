import { styled } from "#web/ui/styled.ts";
import { BellRing, Check, ListTodo, LogOut, Moon, RotateCw, Sun, UserRound } from "lucide-react";
import { useState } from "react";
import { navigate } from "#web/lib/routing/location.ts";
import { languageNames, languages, setLanguage, useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { signOut, useUser } from "#web/lib/session/session.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { ActionMenu, type MenuAction } from "#web/ui/Menu.tsx";
import { color, media } from "#web/ui/theme.ts";
import { Tooltip } from "#web/ui/Tooltip.tsx";
import { appMessages } from "#web/app/app.i18n.ts";
import { builtPaths, privateScreens } from "#web/app/routing/screens.ts";
import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";
import { switchTheme, useTheme } from "./themeMode.ts";
import { LateVolumeSlider } from "./VolumeButton.tsx";

const NotificationsDialog = lateDialog(
  async () => (await import("#web/app/notifications/NotificationsDialog.tsx")).NotificationsDialog,
);
const ProfileDialog = lateDialog(async () => (await import("#web/app/profile/ProfileDialog.tsx")).ProfileDialog);

/** The account menu: profile, tasks, language, sign out; on a phone also the tools that do not fit the top bar. */
export function AccountMenu({ isPhone }: { readonly isPhone: boolean }) {
  const t = useMessages(appMessages);
  const language = useLanguage();
  const theme = useTheme();
  const user = useUser();
  const built = builtPaths(privateScreens);
  const [isEditing, setEditing] = useState(false);
  const [isTuning, setTuning] = useState(false);
  const profileWords = { user: t("profileUser"), supervisor: t("profileSupervisor"), admin: t("profileAdmin") };

  const own: MenuAction[] = [
    { key: "profile", label: t("profile"), icon: <UserRound />, onSelect: () => setEditing(true) },
    { key: "notifications", label: t("notifications"), icon: <BellRing />, onSelect: () => setTuning(true) },
  ];
  if (built.has("/todolist")) {
    own.push({ key: "todolist", label: t("todolist"), icon: <ListTodo />, onSelect: () => navigate("/todolist") });
  }

  const phoneTools: MenuAction[] = [
    {
      key: "theme",
      label: theme === "dark" ? t("lightMode") : t("darkMode"),
      icon: theme === "dark" ? <Sun /> : <Moon />,
      onSelect: switchTheme,
    },
    { key: "reload", label: t("reload"), icon: <RotateCw />, onSelect: () => location.reload() },
  ];

  const choices: MenuAction[] = languages.map((key) => ({
    key,
    label: <span lang={key}>{languageNames[key]}</span>,
    icon: <Check style={{ visibility: key === language ? "visible" : "hidden" }} />,
    isSelected: key === language,
    onSelect: () => setLanguage(key),
  }));

  return (
    <>
      <ActionMenu
        header={
          <Who>
            <strong>{user.name}</strong>
            <span>{user.email}</span>
            <span>
              {profileWords[user.profile]} · {user.company.name}
            </span>
            {isPhone && <LateVolumeSlider />}
          </Who>
        }
        actions={[
          ...own,
          ...(isPhone ? phoneTools : []),
          "line",
          ...choices,
          "line",
          { key: "logout", label: t("logout"), icon: <LogOut />, onSelect: () => void signOut() },
        ]}
        opener={(opener) => (
          <Tooltip text={t("account")}>
            <Face type="button" {...opener} aria-label={t("account")}>
              <Avatar name={user.name} size={30} />
            </Face>
          </Tooltip>
        )}
      />
      {isTuning && <NotificationsDialog onClose={() => setTuning(false)} />}
      {isEditing && <ProfileDialog onClose={() => setEditing(false)} />}
    </>
  );
}

const Face = styled("button")({
  display: "inline-flex",
  border: 0,
  background: "none",
  cursor: "pointer",
  marginLeft: 4,
  padding: 3,
  borderRadius: "50%",
  "&:focus-visible": { outlineOffset: -1 },
  [media.coarse]: { marginLeft: 0, padding: 7 },
});

const Who = styled("div")({
  display: "flex",
  flexDirection: "column",
  fontSize: 12,
  color: color.ink2,
  overflowWrap: "anywhere",
  "& strong": { fontSize: 13, color: color.ink },
  "& > div": { padding: "14px 0 4px" },
});

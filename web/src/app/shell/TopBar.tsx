import { styled } from "#web/ui/styled.ts";
import { Suspense } from "react";
import { Menu, Moon, PanelLeft, RotateCw, Search, Sun } from "lucide-react";
import { reloadPage, whenMayLeave } from "#web/lib/routing/router.tsx";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { color, media, size, visuallyHidden } from "#web/ui/theme.ts";
import { AccountMenu } from "./AccountMenu.tsx";
import { appMessages } from "#web/app/app.i18n.ts";
import { LiveChipWithLines } from "./ConnectionsBadge.tsx";
import { useSlots } from "./slots.ts";
import { switchTheme, useTheme } from "./themeMode.ts";
import { UpdatePrompt } from "./UpdatePrompt.tsx";
import { VolumeButton } from "./VolumeButton.tsx";

/** The top bar: user and company, live chip, bells and tools. */
export function TopBar(props: {
  readonly isDrawerOpen: boolean;
  readonly isPhone: boolean;
  readonly onToggleDrawer: () => void;
  readonly onOpenCommands: () => void;
}) {
  const t = useMessages(appMessages);
  const theme = useTheme();
  const { bells } = useSlots();
  return (
    <Bar>
      <IconButton
        label={props.isDrawerOpen ? t("closeMenu") : t("openMenu")}
        aria-expanded={props.isDrawerOpen}
        onClick={props.onToggleDrawer}
      >
        {props.isPhone ? <Menu /> : <PanelLeft />}
      </IconButton>
      <Greeting />
      <UpdatePrompt />
      <LiveChipWithLines />
      <IconButton label={t("commands")} shortcut={shortcuts.commands} onClick={props.onOpenCommands}>
        <Search />
      </IconButton>
      {!props.isPhone && (
        <>
          <VolumeButton />
          <IconButton label={theme === "dark" ? t("lightMode") : t("darkMode")} onClick={switchTheme}>
            {theme === "dark" ? <Sun /> : <Moon />}
          </IconButton>
          <IconButton label={t("reload")} onClick={() => whenMayLeave(reloadPage)}>
            <RotateCw />
          </IconButton>
        </>
      )}
      {bells.map((Bell, index) => (
        <Suspense key={index} fallback={<BellPlace />}>
          <Bell />
        </Suspense>
      ))}
      <AccountMenu isPhone={props.isPhone} />
    </Bar>
  );
}

function Greeting() {
  const t = useMessages(appMessages);
  const format = useFormat();
  const user = useUser();
  const [before, after] = t("greeting", { name: "\u0000" }).split("\u0000");
  return (
    <Words title={user.company.name}>
      <span data-greeting>{before}</span>
      <strong>{user.name}</strong>
      {after}
      <span> · {user.company.name}</span>
      {isAdmin(user) && user.company.dueDate !== null && (
        <span> · {t("activeUntil", { date: format.date(user.company.dueDate) })}</span>
      )}
    </Words>
  );
}

const Bar = styled("header")({
  flex: "none",
  display: "flex",
  alignItems: "center",
  gap: 4,
  height: size.topBar,
  padding: "0 12px",
  borderBottom: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  [media.phone]: { padding: "0 4px", gap: 0 },
});

/** Placeholder as wide as a bell, to avoid a layout shift. */
const BellPlace = styled("span")({ flex: "none", width: 36, [media.coarse]: { width: size.finger } });

const Words = styled("p")({
  flex: 1,
  minWidth: 0,
  padding: "0 8px 0 4px",
  fontSize: 13,
  color: color.ink2,
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
  "& strong": { fontWeight: 600, color: color.ink },
  // six buttons leave room for a name
  [media.phone]: { padding: "0 2px", "& > [data-greeting]": visuallyHidden },
});

import { Dialog } from "#web/ui/Dialog.tsx";
import { styled } from "#web/ui/styled.ts";
import { Keyboard, Languages, LogOut, Moon, RotateCw, Search, Sun, type LucideIcon } from "lucide-react";
import { useId, useState, type KeyboardEvent } from "react";
import { navigate } from "#web/lib/routing/location.ts";
import { defineMessages, languageNames, languages, setLanguage, useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { signOut } from "#web/lib/session/session.ts";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { useCommands } from "#web/lib/browser/commands.ts";
import { Keys } from "#web/ui/Keys.tsx";
import { color } from "#web/ui/theme.ts";
import { appMessages } from "#web/app/app.i18n.ts";
import { matchCommands, type PaletteItem } from "./matchCommands.ts";
import type { MenuGroup } from "./menu.ts";
import { menuIcons } from "./menuIcons.ts";
import { switchTheme, useTheme } from "./themeMode.ts";

interface Command extends PaletteItem {
  readonly icon: LucideIcon | undefined;
  readonly shortcut?: string | undefined;
  readonly run: () => void;
}

/** Every screen and action by name (Ctrl K). */
export function Commands(props: {
  readonly groups: readonly MenuGroup[];
  readonly onHelp: () => void;
  readonly onClose: () => void;
}) {
  const { groups, onHelp, onClose } = props;
  const t = useMessages(messages);
  const listId = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const found = matchCommands(useAllCommands(groups, onHelp), text);
  const chosen = found[Math.min(at, found.length - 1)];

  const run = (command: Command | undefined) => {
    if (command) {
      onClose();
      command.run();
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setAt((at + step + found.length) % found.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(chosen);
    }
  };

  return (
    <Dialog onClose={onClose} aria-label={t("title")} width="xs" fills="never" isAtTop initialFocus={searchField}>
      <Line>
        <Search aria-hidden size={18} />
        <input
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={chosen && `${listId}-${chosen.key}`}
          aria-label={t("title")}
          placeholder={t("title")}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </Line>
      <List id={listId} role="listbox" aria-label={t("title")}>
        {found.map((command) => (
          <Item
            key={command.key}
            id={`${listId}-${command.key}`}
            role="option"
            aria-selected={command === chosen}
            ref={command === chosen ? keepInSight : undefined}
            onPointerMove={() => setAt(found.indexOf(command))}
            onClick={() => run(command)}
          >
            {command.icon && <command.icon aria-hidden size={16} strokeWidth={1.75} />}
            <span>{command.label}</span>
            {command.shortcut && <Keys keys={command.shortcut} />}
          </Item>
        ))}
      </List>
      {found.length === 0 && <Nothing>{t("nothing", { text })}</Nothing>}
    </Dialog>
  );
}

const searchField = (dialog: HTMLElement) => dialog.querySelector("input");

/** A ref's return value is called as cleanup, and `scrollIntoView` may return a promise. */
function keepInSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

function useAllCommands(groups: readonly MenuGroup[], onHelp: () => void): Command[] {
  const t = useMessages(appMessages);
  const theme = useTheme();
  const language = useLanguage();
  const ofScreen: Command[] = useCommands().map((command) => ({ ...command, icon: undefined }));

  const screens: Command[] = groups
    .flatMap(({ entries }) => entries)
    .map(({ key, path }) => ({ key, label: t(key), icon: menuIcons[key], run: () => navigate(path) }));
  const tools: Command[] = [
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
  return [...ofScreen, ...screens, ...tools];
}

const Line = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 10,
  padding: "0 16px",
  borderBottom: `1px solid ${color.line}`,
  color: color.ink2,
  "& input": { flex: 1, height: 48, border: 0, background: "none", color: color.ink, fontSize: 15, outline: 0 },
});

const List = styled("ul")({ maxHeight: 360, overflowY: "auto", padding: 6 });
const Item = styled("li")({
  display: "flex",
  alignItems: "center",
  gap: 10,
  minHeight: 36,
  padding: "0 10px",
  borderRadius: 6,
  cursor: "pointer",
  color: color.ink2,
  "& span": {
    flex: 1,
    minWidth: 0,
    color: color.ink,
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
  },
  "&[aria-selected='true']": { backgroundColor: color.accentSoft, color: color.accent },
});
const Nothing = styled("p")({ padding: "8px 16px 20px", color: color.ink2, overflowWrap: "anywhere" });

const messages = defineMessages({
  pt: { title: "Buscar telas e ações", nothing: "Nada encontrado para “{text}”" },
  en: { title: "Find screens and actions", nothing: "Nothing found for “{text}”" },
  es: { title: "Buscar pantallas y acciones", nothing: "Nada encontrado para “{text}”" },
});

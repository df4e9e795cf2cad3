import { styled } from "#web/ui/styled.ts";
import { version } from "@prosa/contract/version";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { Suspense, useState } from "react";
import { NavLink } from "#web/lib/routing/router.tsx";
import { useMessages } from "#web/lib/text/i18n.ts";
import { call } from "#web/lib/session/session.ts";
import { color, media, size, visuallyHidden } from "#web/ui/theme.ts";
import { Tooltip } from "#web/ui/Tooltip.tsx";
import { appMessages } from "#web/app/app.i18n.ts";
import { Logo } from "./Logo.tsx";
import type { MenuEntry, MenuGroup } from "./menu.ts";
import { menuIcons } from "./menuIcons.ts";
import { useSlots } from "./slots.ts";
import { SourceLink } from "./SourceLink.tsx";

/** Specification 1 section 2: a fixed label beside the server's version. */
const FIXED_LABEL = "6.0.0";

interface SideMenuProps {
  readonly groups: readonly MenuGroup[];
  /** Folded: icons only, with their names as tooltips. */
  readonly isRail: boolean;
  readonly onNavigate: () => void;
}

/** The entries, by group, and the version at the foot. */
export function SideMenu({ groups, isRail, onNavigate }: SideMenuProps) {
  const t = useMessages(appMessages);
  return (
    <Root data-rail={isRail || undefined}>
      <Brand>
        <Logo />
        {!isRail && "Prosa"}
      </Brand>
      <nav aria-label={t("mainMenu")}>
        {groups.map((group) => (
          <Group key={group.key} group={group} isRail={isRail} onNavigate={onNavigate} />
        ))}
      </nav>
      {!isRail && <Version />}
    </Root>
  );
}

function Group({
  group,
  isRail,
  onNavigate,
}: Pick<SideMenuProps, "isRail" | "onNavigate"> & { readonly group: MenuGroup }) {
  const t = useMessages(appMessages);
  const [isOpen, setOpen] = useState(true);
  const items = (
    <ul id={`menu-${group.key}`} hidden={!isOpen && !isRail}>
      {group.entries.map((entry) => (
        <li key={entry.key}>
          <Entry entry={entry} isRail={isRail} onNavigate={onNavigate} />
        </li>
      ))}
    </ul>
  );
  if (isRail) {
    return <section aria-label={t(group.key)}>{items}</section>;
  }

  return (
    <section>
      {group.isCollapsible ? (
        <GroupButton
          type="button"
          aria-expanded={isOpen}
          aria-controls={`menu-${group.key}`}
          onClick={() => setOpen(!isOpen)}
        >
          {t(group.key)}
          <ChevronDown aria-hidden size={14} />
        </GroupButton>
      ) : (
        group.key !== "work" && <GroupTitle>{t(group.key)}</GroupTitle>
      )}
      {items}
    </section>
  );
}

function Entry({
  entry,
  isRail,
  onNavigate,
}: Pick<SideMenuProps, "isRail" | "onNavigate"> & { readonly entry: MenuEntry }) {
  const t = useMessages(appMessages);
  const Icon = menuIcons[entry.key];
  const Mark = useSlots().marks[entry.key];
  const link = (
    <EntryLink to={entry.path} end={entry.path === "/"} data-rail={isRail || undefined} onClick={onNavigate}>
      <Icon aria-hidden />
      <span>{t(entry.key)}</span>
      {Mark && (
        <Suspense>
          <Mark />
        </Suspense>
      )}
    </EntryLink>
  );
  return isRail ? <Tooltip text={t(entry.key)}>{link}</Tooltip> : link;
}

function Version() {
  const { data } = useQuery({ queryKey: ["version"], queryFn: ({ signal }) => call(version.get, { signal }) });
  return (
    <Foot>
      <span>{data ? `${data.version} · ${FIXED_LABEL}` : FIXED_LABEL}</span>
      <SourceLink />
    </Foot>
  );
}

const Root = styled("div")({
  width: size.drawer,
  height: "100%",
  display: "flex",
  flexDirection: "column",
  backgroundColor: color.panel,
  "& nav": { flex: 1, overflowY: "auto", padding: "4px 12px 12px" },
  "& section + section": { marginTop: 12 },
  "&[data-rail]": {
    width: size.rail,
    "& > div": { padding: 0, justifyContent: "center" },
    "& nav": { padding: "4px 8px 12px", scrollbarWidth: "none" },
    "& section + section": { marginTop: 8, paddingTop: 8, borderTop: `1px solid ${color.line}` },
  },
});

const Brand = styled("div")({
  flex: "none",
  height: size.topBar,
  display: "flex",
  alignItems: "center",
  gap: 10,
  padding: "0 20px",
  fontSize: 17,
  fontWeight: 600,
  letterSpacing: "-0.01em",
});

const groupLook = {
  display: "flex",
  alignItems: "center",
  width: "100%",
  padding: "6px 8px",
  fontSize: 11,
  fontWeight: 500,
  letterSpacing: "0.05em",
  textTransform: "uppercase",
  color: color.ink2,
} as const;
const GroupTitle = styled("h2")(groupLook);
const GroupButton = styled("button")({
  ...groupLook,
  justifyContent: "space-between",
  border: 0,
  borderRadius: 6,
  background: "none",
  cursor: "pointer",
  "&:hover": { color: color.ink },
  "& svg": { transition: "transform 120ms" },
  "&[aria-expanded='false'] svg": { transform: "rotate(-90deg)" },
});

const EntryLink = styled(NavLink)({
  display: "flex",
  alignItems: "center",
  gap: 12,
  minHeight: 34,
  margin: "1px 0",
  padding: "0 8px",
  borderRadius: 8,
  fontSize: 13.5,
  fontWeight: 450,
  color: color.ink2,
  "& svg": { flex: "none", width: 17, height: 17, strokeWidth: 1.75 },
  "& > span:first-of-type": {
    flex: 1,
    minWidth: 0,
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
  },
  "&:hover": { backgroundColor: color.hover, color: color.ink, textDecoration: "none" },
  "&:focus-visible": { outlineOffset: -2 },
  "&.active": { backgroundColor: color.accentSoft, color: color.accent, fontWeight: 600 },
  [media.coarse]: { minHeight: 44 },
  "&[data-rail]": {
    position: "relative",
    justifyContent: "center",
    minHeight: 40,
    padding: 0,
    "& > span:first-of-type": visuallyHidden,
    // a mark at the icon's corner
    "& > :nth-child(3)": { position: "absolute", top: 2, right: 0 },
  },
});

const Foot = styled("p")({
  flex: "none",
  display: "flex",
  justifyContent: "space-between",
  gap: 8,
  padding: "12px 20px 16px",
  fontSize: 11,
  color: color.ink2,
  "& a": { color: "inherit" },
});

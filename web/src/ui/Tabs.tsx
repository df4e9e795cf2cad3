import { styled } from "./styled.ts";
import { useId, useRef, type KeyboardEvent, type ReactNode } from "react";
import { Badge } from "./Chip.tsx";
import { color, media, pillForFingers } from "./tokens.ts";

export interface TabItem<K extends string> {
  readonly key: K;
  readonly label: ReactNode;
  readonly count?: number | undefined;
}

/**
 * Tabs with an underline, or as pills; arrow keys move between them. The panel needs `role="tabpanel"`. Light, because the desk
 * has them in the first load; elsewhere `PanelTabs` (decision 0156).
 */
export function Tabs<K extends string>(props: {
  readonly label: string;
  readonly tabs: readonly TabItem<K>[];
  readonly selected: K;
  readonly onSelect: (key: K) => void;
  readonly look?: "line" | "pill";
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) {
      return;
    }
    event.preventDefault();
    const at = props.tabs.findIndex(({ key }) => key === props.selected);
    const next = (at + step + props.tabs.length) % props.tabs.length;
    const tab = props.tabs[next];
    if (tab) {
      props.onSelect(tab.key);
      list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
    }
  };

  return (
    <List ref={list} role="tablist" aria-label={props.label} data-look={props.look ?? "line"} onKeyDown={onKeyDown}>
      {props.tabs.map(({ key, label, count }) => (
        <Tab
          key={key}
          id={`${id}-${key}`}
          type="button"
          role="tab"
          aria-selected={key === props.selected}
          tabIndex={key === props.selected ? 0 : -1}
          onClick={() => props.onSelect(key)}
        >
          {label}
          {count !== undefined && (props.look === "pill" ? <b>{count}</b> : <Badge value={count} tone="plain" />)}
        </Tab>
      ))}
    </List>
  );
}

/** The look of a tab, also of those by Base UI (`PanelTabs`). */
export const tabStyle = {
  display: "inline-flex",
  alignItems: "center",
  gap: 8,
  border: 0,
  background: "none",
  fontSize: 13,
  fontWeight: 500,
  color: color.ink2,
  whiteSpace: "nowrap",
  cursor: "pointer",
  "&:hover": { color: color.ink },
  "&:focus-visible": { outlineOffset: -2 },
} as const;

/** The look of a list of tabs. */
export const tabListStyle = {
  display: "flex",
  minWidth: 0,
  overflowX: "auto",
  scrollbarWidth: "none",
  // do not shrink in a flex column, for example above a long form
  "&[data-look='line']": { minHeight: 44 },
  "&[data-look='line'] > button": {
    padding: "0 10px",
    height: 44,
    borderBottom: "2px solid transparent",
    "&[aria-selected='true']": { color: color.ink, fontWeight: 600, borderBottomColor: color.accent },
  },
  "&[data-look='pill']": { gap: 6 },
  "&[data-look='pill'] > button": {
    padding: "0 10px",
    height: 26,
    borderRadius: 13,
    fontSize: 12,
    backgroundColor: color.chip,
    "& b": { fontWeight: 600 },
    "&[aria-selected='true']": { backgroundColor: color.accentSoft, color: color.accent, fontWeight: 600 },
    [media.coarse]: pillForFingers,
  },
} as const;

const Tab = styled("button")(tabStyle);
const List = styled("div")(tabListStyle);

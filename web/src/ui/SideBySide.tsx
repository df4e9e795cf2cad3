import type { ReactNode } from "react";
import { keyArea } from "#web/lib/browser/key-owner.ts";
import { styled } from "./styled.ts";
import { Tabs } from "./Tabs.tsx";
import { color, size } from "./theme.ts";

interface SideBySideProps<Key extends string> {
  readonly isWide: boolean;
  readonly list: ReactNode;
  readonly pane: ReactNode;
  /** Label of the tabs, which switch between the two on a narrow screen. */
  readonly tabsLabel: string;
  readonly tabs: readonly { readonly key: Key; readonly label: string }[];
  /** A third part: at the right where there is room, else behind a tab of its own. */
  readonly beside?: { readonly tab: Key; readonly content: ReactNode } | undefined;
  /** The key of the list's tab; the other tab shows the pane. */
  readonly listTab: Key;
  readonly selected: Key;
  readonly onSelect: (key: Key) => void;
  /** The pane has a phone's whole screen: without tabs. */
  readonly isAlone?: boolean;
}

/**
 * A list and a detail pane: side by side, or as two tabs on a narrow screen (T-01, O-06). Both have one place in the tree
 * whatever the width: a window that is made narrower loses nothing of what is open in them.
 */
export function SideBySide<Key extends string>(props: SideBySideProps<Key>) {
  const { isWide, selected } = props;
  const isList = selected === props.listTab;
  const isBeside = selected === props.beside?.tab;
  return (
    <Frame data-wide={isWide || undefined}>
      {!isWide && (
        <NarrowTabs hidden={props.isAlone}>
          <Tabs label={props.tabsLabel} tabs={props.tabs} selected={selected} onSelect={props.onSelect} />
        </NarrowTabs>
      )}
      {(isWide || isList) && <List {...(isWide && keyArea.list)}>{props.list}</List>}
      {(isWide || (!isList && !isBeside)) && <Pane>{props.pane}</Pane>}
      {(isWide || isBeside) && props.beside?.content}
    </Frame>
  );
}

/** Content of the pane while nothing is selected. */
export const NothingSelected = styled("div")({
  flex: 1,
  display: "grid",
  placeItems: "center",
  backgroundColor: color.background,
});

const Frame = styled("div")({
  display: "flex",
  flexDirection: "column",
  height: "100%",
  backgroundColor: color.panel,
  "&[data-wide]": { flexDirection: "row", backgroundColor: "transparent" },
});
const List = styled("section")({
  flex: 1,
  minHeight: 0,
  display: "flex",
  flexDirection: "column",
  backgroundColor: color.panel,
  "[data-wide] > &": { flex: "none", width: size.ticketList, borderRight: `1px solid ${color.line}` },
});
const Pane = styled("section")({ flex: 1, minWidth: 0, minHeight: 0, display: "flex", flexDirection: "column" });
const NarrowTabs = styled("div")({
  flex: "none",
  borderBottom: `1px solid ${color.line}`,
  "&[hidden]": { display: "none" },
  // not "[role=tablist] > button": a role that changes anywhere would restyle every button below it (decision 0195)
  "& [role=tab]": { flex: 1, justifyContent: "center" },
});

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

/** A list and a detail pane: side by side, or as two tabs on a narrow screen (T-01, O-06). */
export function SideBySide<Key extends string>(props: SideBySideProps<Key>) {
  if (props.isWide) {
    return (
      <Split>
        <Left {...keyArea.list}>{props.list}</Left>
        <Right>{props.pane}</Right>
        {props.beside?.content}
      </Split>
    );
  }
  return (
    <Narrow>
      <NarrowTabs hidden={props.isAlone}>
        <Tabs label={props.tabsLabel} tabs={props.tabs} selected={props.selected} onSelect={props.onSelect} />
      </NarrowTabs>
      {props.selected === props.listTab
        ? props.list
        : props.selected === props.beside?.tab
          ? props.beside.content
          : props.pane}
    </Narrow>
  );
}

/** Content of the pane while nothing is selected. */
export const NothingSelected = styled("div")({
  flex: 1,
  display: "grid",
  placeItems: "center",
  backgroundColor: color.background,
});

const Split = styled("div")({ display: "flex", height: "100%" });
const Left = styled("section")({
  flex: "none",
  width: size.ticketList,
  minHeight: 0,
  display: "flex",
  flexDirection: "column",
  borderRight: `1px solid ${color.line}`,
  backgroundColor: color.panel,
});
const Right = styled("section")({ flex: 1, minWidth: 0, display: "flex", flexDirection: "column" });
const Narrow = styled("div")({
  display: "flex",
  flexDirection: "column",
  height: "100%",
  backgroundColor: color.panel,
});
const NarrowTabs = styled("div")({
  flex: "none",
  borderBottom: `1px solid ${color.line}`,
  "&[hidden]": { display: "none" },
  "& [role=tablist] > button": { flex: 1, justifyContent: "center" },
});

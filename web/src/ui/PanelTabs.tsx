/**
 * Tabs with their panels, by Base UI (Home and End, a panel named by its tab). For screens and dialogs that are fetched later:
 * the tabs of the first load are `Tabs` (decision 0156).
 */
import { Tabs } from "@base-ui/react/tabs";
import type { ComponentProps, ReactNode } from "react";
import { styled } from "./styled.ts";
import { tabListStyle, tabStyle, type TabItem } from "./Tabs.tsx";

/** Holds the list and the panels; draws nothing of its own. */
export function PanelTabs<K extends string>(props: {
  readonly selected: K;
  readonly onSelect: (key: K) => void;
  readonly children: ReactNode;
}) {
  return (
    <Tabs.Root
      value={props.selected}
      onValueChange={(key: K, { event }) => {
        if (!isReturnedFocus(event)) {
          props.onSelect(key);
        }
      }}
      render={unwrapped}
    >
      {props.children}
    </Tabs.Root>
  );
}

/**
 * The arrow keys choose a tab by moving the focus to it from another one. A dialog that closes gives the focus back to the tab that
 * opened it, and chooses nothing: who answered that they stay would be asked again. A click chooses by itself.
 */
function isReturnedFocus(event: Event): boolean {
  const before = event instanceof FocusEvent ? event.relatedTarget : undefined;
  return before !== undefined && !(before instanceof Element && before.closest("[role=tab]"));
}

/** The list's place is the caller's: no element around it and its panels. */
const unwrapped = ({ children }: ComponentProps<"div">) => <>{children}</>;

/** The tabs, underlined. */
export function TabList({ label, tabs }: { readonly label: string; readonly tabs: readonly TabItem<string>[] }) {
  return (
    <List activateOnFocus aria-label={label} data-look="line">
      {tabs.map(({ key, label: name }) => (
        <Tab key={key} value={key}>
          {name}
        </Tab>
      ))}
    </List>
  );
}

/** What a tab shows. */
export const TabPanel = styled(Tabs.Panel)({ outlineOffset: -2 });

const Tab = styled(Tabs.Tab)(tabStyle);
const List = styled(Tabs.List)(tabListStyle);

import { Menu } from "@base-ui/react/menu";
import type { ReactNode } from "react";
import { Keys } from "../Keys.tsx";
import { styled } from "../styled.ts";
import { color, media } from "../tokens.ts";
import type { Align } from "../useOpener.ts";
import { useBack } from "../useBack.ts";
import { closeUnlessOn, panelEvents } from "./events.ts";
import { ownFocus, useInitialFocus, useReturnFocus } from "./focus.ts";
import { panelStyle, placed, positionerStyle } from "./panel.ts";

export interface MenuAction {
  readonly key: string;
  readonly label: ReactNode;
  readonly icon?: ReactNode;
  readonly shortcut?: string;
  readonly isDangerous?: boolean;
  readonly isSelected?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
}

/** Small actions side by side, such as reactions. */
export interface MenuRow {
  readonly key: string;
  readonly row: readonly MenuAction[];
}

export interface MenuContent {
  readonly actions: readonly (MenuAction | MenuRow | "line")[];
  readonly header?: ReactNode;
  readonly align?: Align;
}

/** The open menu of an `ActionMenu`: arrow keys, first letters, Escape and Tab by Base UI. */
export function MenuPopup({
  anchor,
  onClose,
  actions,
  header,
  align = "end",
}: MenuContent & { readonly anchor: HTMLElement; readonly onClose: () => void }) {
  useReturnFocus(anchor);
  useBack(onClose);
  const select = (action: MenuAction) => {
    // After Base UI's own handler, which focuses the item once more: an action that focuses the composer must be the last.
    queueMicrotask(() => {
      // First, so that a dialog that the action opens gives the focus back to the button.
      anchor.focus();
      action.onSelect();
    });
  };
  return (
    <Menu.Root open modal={false} onOpenChange={closeUnlessOn(anchor, onClose)}>
      <Menu.Portal>
        <Menu.Positioner
          {...placed}
          {...panelEvents(anchor, onClose)}
          anchor={anchor}
          align={align}
          style={positionerStyle}
        >
          <Panel ref={useInitialFocus(firstItem)} {...ownFocus}>
            {header && <Header>{header}</Header>}
            <List>
              {actions.map((action, index) =>
                action === "line" ? (
                  <Line key={`line-${index}`} />
                ) : "row" in action ? (
                  <Row key={action.key} role="group">
                    {action.row.map((small) => (
                      <SmallItem key={small.key} data-small="" onClick={() => select(small)}>
                        {small.label}
                      </SmallItem>
                    ))}
                  </Row>
                ) : (
                  <Item
                    key={action.key}
                    disabled={action.disabled ?? false}
                    aria-current={action.isSelected || undefined}
                    data-dangerous={action.isDangerous || undefined}
                    onClick={() => select(action)}
                  >
                    <Icon aria-hidden>{action.icon}</Icon>
                    <Grow>{action.label}</Grow>
                    {action.shortcut && <Keys keys={action.shortcut} />}
                  </Item>
                ),
              )}
            </List>
          </Panel>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** The chosen item, or the first of full width, also when opened by a click: arrow keys and Enter go on from there. */
function firstItem(panel: HTMLElement): HTMLElement | null {
  const item = "[role=menuitem]:not([aria-disabled=true], [data-small])";
  return panel.querySelector<HTMLElement>(`${item}[aria-current]`) ?? panel.querySelector<HTMLElement>(item);
}

const Panel = styled(Menu.Popup)(panelStyle);
const List = styled(Menu.List)({ minWidth: 200, maxWidth: 320, padding: 4, outline: 0 });
/** The hover's tint alone is not enough to find the entry that a key moved to. */
const ring = { boxShadow: `inset 0 0 0 1px ${color.accent}` } as const;
const Item = styled(Menu.Item)({
  display: "flex",
  alignItems: "center",
  gap: 10,
  minHeight: 32,
  padding: "5px 10px",
  borderRadius: 6,
  cursor: "pointer",
  userSelect: "none",
  "&:hover, &:focus, &[data-highlighted]": { backgroundColor: color.hover, outline: 0 },
  "&[data-disabled]": { color: color.ink3, cursor: "default" },
  "&[data-dangerous]": { color: color.danger },
  "&[aria-current]": { backgroundColor: color.accentSoft, color: color.accent },
  "&:focus-visible, &[aria-current]:focus": ring,
  [media.coarse]: { minHeight: 44 },
});
const Row = styled("div")({ display: "flex", gap: 2, paddingBottom: 4 });
const SmallItem = styled(Menu.Item)({
  display: "grid",
  placeItems: "center",
  width: 36,
  height: 36,
  borderRadius: 8,
  fontSize: 18,
  cursor: "pointer",
  userSelect: "none",
  "&:hover, &:focus, &[data-highlighted]": { backgroundColor: color.hover, outline: 0 },
  "&:focus-visible": ring,
  [media.coarse]: { width: 44, height: 44 },
});
const Icon = styled("span")({
  display: "inline-flex",
  "& svg": { width: 16, height: 16, strokeWidth: 1.75 },
  "&:empty": { display: "none" },
});
const Grow = styled("span")({ flex: 1, minWidth: 0, overflow: "hidden", textOverflow: "ellipsis" });
const Line = styled(Menu.Separator)({ height: 1, margin: "4px 0", backgroundColor: color.line });
const Header = styled("div")({ padding: "10px 14px", borderBottom: `1px solid ${color.line}`, maxWidth: 320 });

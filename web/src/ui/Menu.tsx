import { styled } from "./styled.ts";
import type { KeyboardEvent, ReactNode } from "react";
import { Floating, useFloating, type Align, type OpenerProps } from "./Floating.tsx";
import { Keys } from "./Keys.tsx";
import { color, size } from "./tokens.ts";

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

/** A menu of actions that opens from a button: `<ActionMenu actions={…} opener={(props) => <IconButton {...props} …/>} />`. */
export function ActionMenu(props: {
  readonly actions: readonly (MenuAction | "line")[];
  readonly opener: (props: OpenerProps) => ReactNode;
  readonly header?: ReactNode;
  readonly align?: Align;
}) {
  const { anchor, opener, close } = useFloating("menu");

  const select = (action: MenuAction) => {
    close();
    anchor?.focus();
    action.onSelect();
  };
  return (
    <>
      {props.opener(opener)}
      {anchor && (
        <Floating anchor={anchor} align={props.align} onDismissed={close} onShown={focusFirst} onKeyDown={move}>
          {props.header && <Header>{props.header}</Header>}
          <List role="menu">
            {props.actions.map((action, index) =>
              action === "line" ? (
                <Line key={`line-${index}`} role="separator" />
              ) : (
                <Item
                  key={action.key}
                  type="button"
                  role="menuitem"
                  tabIndex={-1}
                  disabled={action.disabled}
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
        </Floating>
      )}
    </>
  );
}

/** A panel that opens from a button, 350 px wide by default (specification 1 section 2). */
export function Popover(props: {
  readonly label: string;
  readonly opener: (props: OpenerProps) => ReactNode;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
  readonly width?: number;
  readonly align?: Align;
}) {
  const { anchor, opener, close } = useFloating("dialog");
  return (
    <>
      {props.opener(opener)}
      {anchor && (
        <Floating
          anchor={anchor}
          align={props.align}
          onDismissed={close}
          onShown={focusPanel}
          role="dialog"
          aria-label={props.label}
          tabIndex={-1}
          style={{ width: props.width ?? size.popover }}
        >
          {typeof props.children === "function" ? props.children(close) : props.children}
        </Floating>
      )}
    </>
  );
}

function itemsOf(panel: HTMLElement): HTMLElement[] {
  return [...panel.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)")];
}

function focusFirst(panel: HTMLElement): void {
  const items = itemsOf(panel);
  (items.find((item) => item.ariaCurrent === "true") ?? items[0])?.focus();
}

function focusPanel(panel: HTMLElement): void {
  (panel.querySelector<HTMLElement>("input, button, a[href], textarea, select") ?? panel).focus();
}

/** Arrows, Home, End and first letters move the focus; Tab closes the menu. */
function move(event: KeyboardEvent<HTMLElement>): void {
  const panel = event.currentTarget;
  const items = itemsOf(panel);
  const at = items.indexOf(document.activeElement as HTMLElement);
  if (at < 0 && event.target instanceof HTMLInputElement) {
    return;
  }
  event.stopPropagation();
  if (event.key === "Tab") {
    panel.hidePopover();
    return;
  }
  const next = nextItem(
    items.map((item) => item.textContent ?? ""),
    at,
    event.key,
  );
  if (next !== undefined) {
    event.preventDefault();
    items[next]?.focus();
  }
}

/** Pure: the index of the item that a key moves to; undefined for other keys. */
export function nextItem(labels: readonly string[], at: number, key: string): number | undefined {
  const last = labels.length - 1;
  const byKey: Record<string, number> = {
    ArrowDown: at >= last ? 0 : at + 1,
    ArrowUp: at <= 0 ? last : at - 1,
    Home: 0,
    End: last,
  };
  if (key in byKey) {
    return byKey[key];
  }
  const letter = key.length === 1 && key !== " " ? key.toLowerCase() : undefined;
  const after = labels.map((label, index) => ({ label: label.trim().toLowerCase(), index }));
  const ring = [...after.slice(at + 1), ...after.slice(0, at + 1)];
  return letter === undefined ? undefined : ring.find(({ label }) => label.startsWith(letter))?.index;
}

const List = styled("div")({ minWidth: 200, maxWidth: 320, padding: 4 });
const Item = styled("button")({
  display: "flex",
  alignItems: "center",
  gap: 10,
  width: "100%",
  minHeight: 32,
  padding: "5px 10px",
  border: 0,
  borderRadius: 6,
  background: "none",
  textAlign: "left",
  cursor: "pointer",
  "&:hover, &:focus": { backgroundColor: color.hover, outline: 0 },
  "&:disabled": { color: color.ink3, cursor: "default" },
  "&[data-dangerous]": { color: color.danger },
  "&[aria-current]": { backgroundColor: color.accentSoft, color: color.accent },
  "&[aria-current]:focus": { boxShadow: `inset 0 0 0 1px ${color.accent}` },
  "@media (pointer: coarse)": { minHeight: 44 },
});
const Icon = styled("span")({
  display: "inline-flex",
  "& svg": { width: 16, height: 16, strokeWidth: 1.75 },
  "&:empty": { display: "none" },
});
const Grow = styled("span")({ flex: 1, minWidth: 0, overflow: "hidden", textOverflow: "ellipsis" });
const Line = styled("div")({ height: 1, margin: "4px 0", backgroundColor: color.line });
const Header = styled("div")({ padding: "10px 14px", borderBottom: `1px solid ${color.line}`, maxWidth: 320 });

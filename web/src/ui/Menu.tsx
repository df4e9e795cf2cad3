import MuiMenu from "@mui/material/Menu";
import MuiMenuItem from "@mui/material/MenuItem";
import MuiPopover from "@mui/material/Popover";
import { styled } from "@mui/material/styles";
import { useState, type MouseEvent, type ReactNode } from "react";
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

interface OpenerProps {
  readonly onClick: (event: MouseEvent<HTMLElement>) => void;
  readonly "aria-haspopup": "menu" | "dialog";
  readonly "aria-expanded": boolean;
}

/** A list of actions that opens from a button: `<ActionMenu actions={…} opener={(props) => <IconButton {...props} …/>} />`. */
export function ActionMenu(props: {
  readonly actions: readonly (MenuAction | "line")[];
  readonly opener: (props: OpenerProps) => ReactNode;
  readonly header?: ReactNode;
}) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      {props.opener({
        onClick: (event) => setAnchor(event.currentTarget),
        "aria-haspopup": "menu",
        "aria-expanded": anchor !== null,
      })}
      <MuiMenu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: "bottom", horizontal: "right" }}
        transformOrigin={{ vertical: -4, horizontal: "right" }}
        slotProps={{ paper: { sx: { minWidth: 200, maxWidth: 320 } } }}
      >
        {props.header && <Header role="presentation">{props.header}</Header>}
        {props.actions.map((action, index) =>
          action === "line" ? (
            <Line key={`line-${index}`} role="separator" />
          ) : (
            <MuiMenuItem
              key={action.key}
              selected={action.isSelected === true}
              disabled={action.disabled === true}
              sx={action.isDangerous ? { color: color.danger } : undefined}
              onClick={() => {
                close();
                action.onSelect();
              }}
            >
              <Icon aria-hidden>{action.icon}</Icon>
              <Grow>{action.label}</Grow>
              {action.shortcut && <Keys keys={action.shortcut} />}
            </MuiMenuItem>
          ),
        )}
      </MuiMenu>
    </>
  );
}

/** A panel that opens from a button, 350 px wide unless told otherwise (specification 1 section 2). */
export function Popover(props: {
  readonly label: string;
  readonly opener: (props: OpenerProps) => ReactNode;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
  readonly width?: number;
}) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      {props.opener({
        onClick: (event) => setAnchor(event.currentTarget),
        "aria-haspopup": "dialog",
        "aria-expanded": anchor !== null,
      })}
      <MuiPopover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={close}
        anchorOrigin={{ vertical: "bottom", horizontal: "right" }}
        transformOrigin={{ vertical: -4, horizontal: "right" }}
        slotProps={{
          paper: {
            role: "dialog",
            "aria-label": props.label,
            sx: { width: props.width ?? size.popover, maxWidth: "calc(100vw - 16px)" },
          },
        }}
      >
        {typeof props.children === "function" ? props.children(close) : props.children}
      </MuiPopover>
    </>
  );
}

const Icon = styled("span")({
  display: "inline-flex",
  color: "inherit",
  "& svg": { width: 16, height: 16, strokeWidth: 1.75 },
  "&:empty": { display: "none" },
});
const Grow = styled("span")({ flex: 1, minWidth: 0, overflow: "hidden", textOverflow: "ellipsis" });
const Line = styled("li")({ height: 1, margin: "4px 0", backgroundColor: color.line });
const Header = styled("li")({ padding: "8px 10px", borderBottom: `1px solid ${color.line}`, marginBottom: 4 });

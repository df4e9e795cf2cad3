import MuiButton from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import type { MouseEvent, ReactNode, Ref } from "react";
import { Keys } from "./Keys.tsx";

export interface ButtonProps {
  readonly children: ReactNode;
  /** One primary a screen; `danger` names the verb; `quiet` has no frame. */
  readonly kind?: "primary" | "plain" | "danger" | "quiet";
  readonly onClick?: (event: MouseEvent<HTMLElement>) => void;
  readonly type?: "button" | "submit";
  readonly form?: string;
  readonly icon?: ReactNode;
  readonly shortcut?: string;
  readonly disabled?: boolean;
  /** Shows progress and takes no further click. */
  readonly isBusy?: boolean;
  readonly fullWidth?: boolean;
  readonly autoFocus?: boolean;
  readonly size?: "medium" | "large";
  readonly ref?: Ref<HTMLButtonElement>;
  readonly "aria-label"?: string;
  readonly "aria-haspopup"?: "menu" | "dialog";
  readonly "aria-expanded"?: boolean;
}

const looks = {
  primary: { variant: "contained", color: "primary" },
  plain: { variant: "outlined", color: "inherit" },
  danger: { variant: "contained", color: "error" },
  quiet: { variant: "text", color: "inherit" },
} as const;

/** A button that shows what it is doing. */
export function Button({ kind = "plain", icon, shortcut, isBusy = false, children, size, ...rest }: ButtonProps) {
  return (
    <MuiButton
      {...looks[kind]}
      {...rest}
      type={rest.type ?? "button"}
      disabled={rest.disabled === true || isBusy}
      aria-busy={isBusy || undefined}
      sx={size === "large" ? { minHeight: 42, fontSize: 14 } : undefined}
      startIcon={isBusy ? <Spinner /> : icon}
    >
      {children}
      {shortcut && (
        <Gap>
          <Keys keys={shortcut} />
        </Gap>
      )}
    </MuiButton>
  );
}

/** A small turning ring. */
export const Spinner = styled("span")({
  width: 14,
  height: 14,
  borderRadius: "50%",
  border: "2px solid currentColor",
  borderRightColor: "transparent",
  animation: "prosa-spin 700ms linear infinite",
});

const Gap = styled("span")({ marginLeft: 8, display: "inline-flex" });

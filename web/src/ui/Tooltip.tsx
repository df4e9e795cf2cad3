import { cloneElement, type ReactElement } from "react";

/** The name of the hovered or focused element, with its shortcut. Never the only place of an information. */
export function Tooltip(props: {
  readonly text: string;
  readonly shortcut?: string | undefined;
  readonly children: ReactElement<{ "data-tooltip"?: string; "data-tooltip-keys"?: string | undefined }>;
}) {
  // Read by the one tooltip of the page (`popups/Tooltips.tsx`).
  return cloneElement(props.children, { "data-tooltip": props.text, "data-tooltip-keys": props.shortcut });
}

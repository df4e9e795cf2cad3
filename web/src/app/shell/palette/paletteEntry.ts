import type { LucideIcon } from "lucide-react";
import type { PaletteItem } from "./matchCommands.ts";

/** A row of the command palette. */
export interface PaletteEntry extends PaletteItem {
  /** A second line, cut off at its end. */
  readonly detail?: string;
  readonly icon?: LucideIcon | undefined;
  /** The colour of a queue, null without one; instead of the icon. */
  readonly tint?: string | null;
  readonly shortcut?: string | undefined;
  readonly run: () => void;
}

import { matchesMedia } from "./hooks.ts";

/** False on touch screens: the focus opens the on-screen keyboard there, which has no Escape. */
export function hasHardwareKeyboard(): boolean {
  return matchesMedia("(hover: hover)");
}

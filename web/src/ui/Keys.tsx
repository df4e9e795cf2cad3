import { styled } from "./styled.ts";

/** A shortcut as printed on the keyboard: `mod+k` → "Ctrl K" (⌘ on a Mac). Hidden from screen readers unless `isRead`. */
export function Keys({ keys, isRead = false }: { readonly keys: string; readonly isRead?: boolean }) {
  return <Kbd aria-hidden={!isRead}>{keysText(keys, isMac())}</Kbd>;
}

/** Pure: the text of a shortcut. */
export function keysText(keys: string, onMac: boolean): string {
  const names: Record<string, string> = { mod: onMac ? "⌘" : "Ctrl", enter: "↵", escape: "Esc", shift: "⇧" };
  return keys
    .split("+")
    .map((key) => names[key.toLowerCase()] ?? key.toUpperCase())
    .join(" ");
}

function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent);
}

const Kbd = styled("kbd")({
  font: "inherit",
  fontSize: 11,
  lineHeight: 1,
  padding: "2px 5px",
  borderRadius: 4,
  border: "1px solid color-mix(in srgb, currentColor 45%, transparent)",
});

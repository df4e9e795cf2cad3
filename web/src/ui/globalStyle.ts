import { color, cssVariables, emojiFontFace, fontFamily, media } from "./tokens.ts";

/** Global CSS: colours of both themes, body font, focus ring, scroll bars, reduced motion. */
export const globalStyle = {
  "@font-face": emojiFontFace,
  ":root, [data-theme='light']": { ...cssVariables("light"), colorScheme: "light" },
  "[data-theme='dark']": { ...cssVariables("dark"), colorScheme: "dark" },
  "*, *::before, *::after": { boxSizing: "border-box" },
  // Overrides the inline colour that the first-paint script has set.
  html: { height: "100%", backgroundColor: `${color.background} !important`, WebkitTextSizeAdjust: "100%" },
  body: {
    margin: 0,
    height: "100%",
    backgroundColor: color.background,
    color: color.ink,
    fontFamily,
    fontSize: 14,
    lineHeight: 1.45,
    fontFeatureSettings: '"cv05", "ss03"',
    WebkitFontSmoothing: "antialiased",
    overflow: "hidden",
    overscrollBehavior: "none",
  },
  // digits of one width where numbers stand below or replace each other; in sentences they keep their own
  "time, table, [role='grid'], [role='tab'], [role='timer']": { fontVariantNumeric: "tabular-nums" },
  "#root": { height: "100%" },
  "h1, h2, h3, p, ul, ol, dl, dd, figure": { margin: 0, padding: 0 },
  "ul, ol": { listStyle: "none" },
  a: { color: color.accent, textDecoration: "none" },
  "a:hover": { textDecoration: "underline" },
  "button, input, textarea, select": { font: "inherit", color: "inherit", letterSpacing: "inherit" },
  ":focus-visible": { outline: `2px solid ${color.accent}`, outlineOffset: 2 },
  "::selection": { backgroundColor: color.accent, color: color.onAccent },
  "*": { scrollbarWidth: "thin", scrollbarColor: `${color.lineStrong} transparent` },
  "@keyframes prosa-pulse": { "50%": { opacity: 0.5 } },
  "@keyframes prosa-slide": { from: { transform: "translateX(-100%)" }, to: { transform: "translateX(400%)" } },
  "@keyframes prosa-spin": { to: { transform: "rotate(360deg)" } },
  "@keyframes prosa-appear": { from: { opacity: 0 } },
  "@keyframes prosa-rise": { from: { opacity: 0, transform: "translateY(4px)" } },
  [media.still]: {
    "*, *::before, *::after": {
      animationDuration: "0.01ms !important",
      animationIterationCount: "1 !important",
      // Of no time, so that none begins: "all" is the property of what names none, and a theme changes colours of everything.
      transitionDuration: "0s !important",
      transitionDelay: "0s !important",
    },
  },
} as const;

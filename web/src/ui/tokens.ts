/** The colours of both themes. Components use the CSS variables in `color`; only tests and the global style read the values. */
export const palettes = {
  light: {
    background: "#f6f7f6",
    panel: "#ffffff",
    raised: "#ffffff",
    hover: "#f1f4f2",
    line: "#e4e8e6",
    lineStrong: "#c4ccc8",
    ink: "#16201c",
    ink2: "#55635c",
    ink3: "#8a968f",
    accent: "#0c7a5a",
    accentHover: "#0a684d",
    accentSoft: "#e3f2ec",
    onAccent: "#ffffff",
    own: "#dcf3e6",
    ownLine: "#bfe3cf",
    note: "#fff6d8",
    noteLine: "#ecdca4",
    warning: "#b26a00",
    warningInk: "#8a5300",
    warningSoft: "#fdf0dc",
    danger: "#c0362c",
    dangerSoft: "#fdecea",
    onDanger: "#ffffff",
    tick: "#1f7ae0",
    chip: "#eef1ef",
    skeleton: "#e9edeb",
    scrim: "rgba(14, 19, 17, 0.42)",
    shadow: "0 1px 2px rgba(16, 32, 26, 0.06), 0 8px 28px rgba(16, 32, 26, 0.14)",
  },
  dark: {
    background: "#0e1311",
    panel: "#141a17",
    raised: "#1a211e",
    hover: "#222b27",
    line: "#242d29",
    lineStrong: "#3d4a44",
    ink: "#e7eeea",
    ink2: "#a3b0a9",
    ink3: "#75827b",
    accent: "#3fbf93",
    accentHover: "#57cfa5",
    accentSoft: "#17332a",
    onAccent: "#0e1311",
    own: "#12392c",
    ownLine: "#1d5341",
    note: "#332c12",
    noteLine: "#57491c",
    warning: "#e0a53f",
    warningInk: "#e8b75f",
    warningSoft: "#38290f",
    danger: "#ff7a6e",
    dangerSoft: "#3a1d1a",
    onDanger: "#0e1311",
    tick: "#6db1ff",
    chip: "#222a26",
    skeleton: "#1f2723",
    scrim: "rgba(0, 0, 0, 0.6)",
    shadow: "0 1px 2px rgba(0, 0, 0, 0.4), 0 10px 32px rgba(0, 0, 0, 0.55)",
  },
} as const;

export type ColorName = keyof (typeof palettes)["light"];

const names = Object.keys(palettes.light) as ColorName[];

/** Names of a group's participants, in the order of the avatars' tints: readable (AA) on their bubble. */
export const authorPalettes = {
  light: ["#b83280", "#22705a", "#6250cc", "#8a5a0a", "#2861ac", "#865070", "#55557a", "#ad4028", "#356b7e", "#706014"],
  dark: ["#f08cc4", "#6fcfb2", "#b3a8ff", "#e0b05c", "#86b6f5", "#dca6ca", "#b4b4de", "#f79a83", "#8cc4d8", "#d3c05f"],
} as const;

export const authorColorVariable = (index: number): string => `var(--p-author${index})`;

/** `color.ink2` is `var(--p-ink2)`: follows the theme without a render. */
export const color = Object.fromEntries(names.map((name) => [name, `var(--p-${name})`])) as Record<ColorName, string>;

/** The declarations of one theme's variables, for the global style. */
export function cssVariables(theme: keyof typeof palettes): Record<string, string> {
  const authors = authorPalettes[theme].map((hex, index) => [`--p-author${index}`, hex]);
  return Object.fromEntries([...names.map((name) => [`--p-${name}`, palettes[theme][name]]), ...authors]);
}

/**
 * Inter is shipped with the app; the fallbacks show until it is loaded. Emoji come before them: the symbols of a system font
 * have no colour.
 */
export const fontFamily =
  '"Inter Variable", Inter, "Prosa Emoji", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/**
 * The colour emoji of the system as a font of their own. Only emoji: those fonts have digits too, which would show until Inter
 * is loaded, and arrows and signs that are text.
 */
export const emojiFontFace = {
  fontFamily: "Prosa Emoji",
  src: 'local("Apple Color Emoji"), local("Segoe UI Emoji"), local("Noto Color Emoji")',
  unicodeRange:
    "U+200D, U+203C, U+2049, U+20E3, U+231A-231B, U+2328, U+23CF, U+23E9-23F3, U+23F8-23FA, U+25FB-25FE, U+2600-27BF, U+2B1B-2B1C, U+2B50, U+2B55, U+FE0F, U+1F000-1FAFF, U+E0020-E007F",
} as const;

/** Measures of the specification, in px (section 9), and the few of our own. */
export const size = {
  drawer: 240,
  /** The folded menu. */
  rail: 56,
  /** A conversation is never narrower beside a list, if folding the menu helps. */
  conversation: 560,
  contactDrawer: 320,
  popover: 350,
  qr: 256,
  calendar: 500,
  ticketList: 360,
  phoneBeside: 340,
  topBar: 56,
  row: 44,
  radius: 8,
  drawerOpensAbove: 1200,
  phoneBelow: 600,
  /** What a finger hits, in both directions (WCAG 2.5.5). */
  finger: 44,
} as const;

/** Media queries for `styled` and `useMedia`. */
export const media = {
  phone: `@media (max-width: ${size.phoneBelow - 0.05}px)`,
  /** A table too narrow for all columns. */
  narrowTable: `@media (min-width: ${size.phoneBelow}px) and (max-width: 1023.95px)`,
  /** A phone whose keyboard is up: what is not a message takes as little as it can. */
  phoneKeyboard: `@media (max-width: ${size.phoneBelow - 0.05}px) and (max-height: 480px)`,
  still: "@media (prefers-reduced-motion: reduce)",
  /** A finger instead of a pointer: controls are `size.finger` wide and high. */
  coarse: "@media (pointer: coarse)",
} as const;

/** A pill of 26 px within a control as high as a finger: what is above and below it is see-through. */
export const pillForFingers = {
  height: size.finger,
  borderBlock: `${(size.finger - 26) / 2}px solid transparent`,
  borderRadius: `13px / ${size.finger / 2}px`,
  backgroundClip: "padding-box",
} as const;

/** The `::after` of a control that looks smaller (px high, without its border) than what a finger hits of it; it is positioned. */
export const fingerArea = (height: number) =>
  ({ content: '""', position: "absolute", inset: `${(height - size.finger) / 2}px -8px` }) as const;

/** Hidden on screen, read by screen readers. */
export const visuallyHidden = {
  position: "absolute",
  width: 1,
  height: 1,
  overflow: "hidden",
  clipPath: "inset(50%)",
  whiteSpace: "nowrap",
} as const;

/** Longest animation, in ms. */
export const MOTION_MS = 120;

/** z-index of everything that floats. */
export const layer = { sticky: 2, drawer: 1200, popover: 1300, tooltip: 1500, toast: 1600 } as const;

/** Toasts are placed above the element with `anchorName: toastAnchor`. */
export const toastAnchor = "--toast-anchor";

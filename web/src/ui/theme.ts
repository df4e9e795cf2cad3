/** The design tokens that features use: `import { color, media, size } from "#web/ui/theme.ts"`. */
export { color, media, pillForFingers, size, toastAnchor, visuallyHidden } from "./tokens.ts";

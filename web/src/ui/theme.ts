/** The design tokens that features use: `import { color, fingerArea, media, size } from "#web/ui/theme.ts"`. */
export { color, fingerArea, media, pillForFingers, size, toastAnchor, visuallyHidden } from "./tokens.ts";

/** The theme as components use it: `import { color, media, size } from "#web/ui/theme.ts"`. */
export { color, media, size, toastAnchor, visuallyHidden } from "./tokens.ts";

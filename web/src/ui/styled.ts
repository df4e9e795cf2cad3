/**
 * Emotion's `styled`, without Material's theme around it: our colours are CSS variables, so no style asks a theme, and the
 * first load does not carry Material's. Its few components (dialog, drawer) come later, with their theme.
 */
export { default as styled } from "@emotion/styled";

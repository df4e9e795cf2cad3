/**
 * Emotion's `styled` without Material's theme: our colours are CSS variables, so no style reads a theme, and the first load
 * does not carry Material. Its few components (dialog, drawer) are fetched later, with their theme.
 */
export { default as styled } from "@emotion/styled";

export { previewTurn } from "./preview.ts";

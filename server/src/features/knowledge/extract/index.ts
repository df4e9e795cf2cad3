export type { Extraction } from "./extraction.ts";
export { extractText } from "./run-extraction.ts";
export { sectionsOfText } from "./sections-of-text.ts";
export { splitIntoPassages } from "./split-passages.ts";
export type { Passage } from "./split-passages.ts";

export { createSpeech, SpeechError } from "./azure-speech.ts";
export type { Speech, SpeechFault } from "./azure-speech.ts";

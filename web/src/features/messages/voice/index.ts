export { VoiceRecorder } from "./VoiceRecorder.tsx";

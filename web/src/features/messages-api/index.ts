export { MessagesApiGuide } from "./MessagesApiGuide.tsx";

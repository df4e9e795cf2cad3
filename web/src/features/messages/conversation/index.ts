export { Conversation } from "./Conversation.tsx";
export { MessageDialogs } from "./MessageDialogs.tsx";

export { KeptConversations } from "./KeptConversations.tsx";
export { MessageDialogs } from "./MessageDialogs.tsx";

export { createChat, sendChatMessage } from "./chats.service.ts";

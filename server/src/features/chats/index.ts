export { createChat, readChat, sendChatMessage } from "./chats.service.ts";

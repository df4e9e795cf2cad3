export { endOwnSession, listOwnSessions } from "./own-sessions.ts";

export { announce } from "./announcements.service.ts";

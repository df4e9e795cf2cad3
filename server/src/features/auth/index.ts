export { sessionUser } from "./auth.service.ts";

export { decideNumber, renewConnection, startConnection, stopConnection } from "./session.service.ts";

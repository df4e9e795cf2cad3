export { confirmNumber, renewConnection, startConnection, stopConnection } from "./session.service.ts";

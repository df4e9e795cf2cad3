export { countTickets, listTickets } from "./list-tickets.ts";

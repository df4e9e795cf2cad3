export { TicketProducts } from "./TicketProducts.tsx";

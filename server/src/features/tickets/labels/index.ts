export { productsOfTicket, putProduct, setTags, takeProduct } from "./label-ticket.ts";

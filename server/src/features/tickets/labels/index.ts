export { productsOfTicket, addProduct, setTags, removeProduct } from "./label-ticket.ts";

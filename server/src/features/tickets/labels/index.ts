export { productsOfTicket, addProduct, isLane, saveTags, setTags, removeProduct } from "./label-ticket.ts";
export { readTags } from "./label-ticket.queries.ts";

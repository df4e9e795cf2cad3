export { productListMessages } from "./product-list.i18n.ts";
export { ProductDialog } from "./ProductDialog.tsx";
export { productsResource } from "./products.api.ts";
export { TicketProducts } from "./TicketProducts.tsx";

export { createProduct, productsOf } from "./products.service.ts";

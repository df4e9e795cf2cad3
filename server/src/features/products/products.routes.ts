import { products } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import {
  createProduct,
  getProduct,
  listProducts,
  productsOf,
  removeProduct,
  updateProduct,
} from "./products.service.ts";

/** All calls except the products of a ticket (`/ticket-products`), which the feature tickets serves. */
export function productsRoutes(api: Api): void {
  serve(api, products.list, (ctx, { query }) => listProducts(ctx, query));
  serve(api, products.lookup, (ctx) => productsOf(ctx));
  serve(api, products.get, (ctx, { params }) => getProduct(ctx, params.id));
  serve(api, products.create, (ctx, { body }) => createProduct(ctx, body));
  serve(api, products.update, (ctx, { params, body }) => updateProduct(ctx, params.id, body));
  serve(api, products.remove, async (ctx, { params }) => {
    await removeProduct(ctx, params.id);
    return { message: "Product deleted" };
  });
}

import { pageSize } from "@prosa/contract";
import type { BodyOf, Product, ProductBody, ProductRecord, products } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { Ctx, DomainEvent } from "#server/platform/ctx.ts";
import { brokenConstraint } from "#server/platform/db/index.ts";
import type { Cached } from "#server/platform/db/index.ts";
import {
  deleteProduct,
  findProduct,
  findProducts,
  insertProduct,
  saveProduct,
  searchProducts,
} from "./products.queries.ts";

const cachedProducts: Cached<readonly Product[]> = {
  name: "products",
  staleAfter: ["product.created", "product.updated", "product.deleted"],
  load: findProducts,
};

/** Every product of the company, by name. Cached. */
export function productsOf(ctx: Ctx): Promise<readonly Product[]> {
  return ctx.cached(cachedProducts);
}

export async function listProducts(ctx: Ctx, query: { searchParam: string; pageNumber: number }) {
  const { rows, count } = await searchProducts(ctx, query);
  return { products: rows, count, hasMore: query.pageNumber * pageSize.others < count };
}

export async function getProduct(ctx: Ctx, id: number): Promise<ProductRecord> {
  const product = await findProduct(ctx, id);
  if (!product) {
    throw notFound(id);
  }
  return product;
}

/** Throws ERR_NAME_TAKEN. */
export async function createProduct(ctx: Ctx, { name, type, price }: ProductBody): Promise<ProductRecord> {
  const id = await refuseTakenName(() => insertProduct(ctx, { name, type, price }));
  ctx.emit(productEvent("created", id));
  return { id, name, type, price, ticketsCount: 0 };
}

export async function updateProduct(
  ctx: Ctx,
  id: number,
  { name, type, price }: BodyOf<typeof products.update>,
): Promise<ProductRecord> {
  const product = await refuseTakenName(() => saveProduct(ctx, id, { name, type, price }));
  if (!product) {
    throw notFound(id);
  }
  ctx.emit(productEvent("updated", id));
  return product;
}

/** Deletes a product and removes it from every ticket. */
export async function removeProduct(ctx: Ctx, id: number): Promise<void> {
  if (!(await deleteProduct(ctx, id))) {
    throw notFound(id);
  }
  ctx.emit(productEvent("deleted", id));
}

function productEvent(change: "created" | "updated" | "deleted", productId: number): DomainEvent {
  return { type: `product.${change}`, payload: { productId } };
}

async function refuseTakenName<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (brokenConstraint(error) === "products_company_id_name_key") {
      throw new AppError("ERR_NAME_TAKEN", undefined, { cause: error });
    }
    throw error;
  }
}

function notFound(productId: number): AppError {
  return new AppError("ERR_NOT_FOUND", { productId });
}

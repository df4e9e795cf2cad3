import type { Generated } from "kysely";

export interface ProductsTable {
  id: Generated<number>;
  company_id: number;
  name: string;
  type: Generated<string>;
  /** In reais; null: none. */
  price: number | null;
  created_at: Generated<Date>;
}

declare module "#server/platform/db/database.ts" {
  interface Database {
    products: ProductsTable;
  }
}

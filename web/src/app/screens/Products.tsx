import type { ProductRecord } from "@prosa/contract/products";
import { Package } from "lucide-react";
import { ProductDialog, productListMessages, productsResource } from "#web/features/products/index.ts";
import { useCan } from "#web/lib/session/permissions.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import type { Column } from "#web/ui/ListScreen.tsx";
import { RecordList } from "#web/ui/RecordList.tsx";

/** /products: what the company sells, for conversations and the dashboard (O-10). Its events are the shell's, like a ticket's. */
export function Products() {
  const mayDelete = useCan("products:delete");
  return (
    <RecordList
      resource={productsResource}
      texts={productListMessages}
      icon={<Package />}
      columns={useColumns()}
      nameOf={({ name }) => name}
      deleteCount={({ ticketsCount }) => ticketsCount}
      isKept={() => !mayDelete}
      form={(product, onClose) => <ProductDialog product={product} onClose={onClose} />}
    />
  );
}

function useColumns(): Column<ProductRecord>[] {
  const t = useMessages(productListMessages);
  const format = useFormat();
  return [
    { key: "name", title: t("name"), width: "minmax(140px, 2fr)", cell: ({ name }) => name },
    { key: "type", title: t("type"), width: "minmax(90px, 1fr)", cell: ({ type }) => type },
    {
      key: "price",
      title: t("price"),
      width: "minmax(110px, auto)",
      align: "right",
      cell: ({ price }) => (price === null ? "" : format.money(price)),
    },
    {
      key: "tickets",
      title: t("tickets"),
      width: "110px",
      align: "right",
      cell: ({ ticketsCount }) => format.number(ticketsCount),
    },
  ];
}

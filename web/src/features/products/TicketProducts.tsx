import type { Product } from "@prosa/contract/products";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { DrawerSection, EditLink, Removable } from "#web/ui/DrawerSection.tsx";
import { LabelPicker } from "#web/ui/fields/LabelPicker.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { productsOptions, useTicketProduct } from "./products.api.ts";
import { productMessages } from "./products.i18n.ts";

/** The products of a ticket with their prices and the sum: choose and remove (T-20, O-10). */
export function TicketProducts(props: {
  readonly ticketId: number;
  readonly products: readonly Product[];
  readonly onChanged: (products: readonly Product[]) => void;
}) {
  const { ticketId, products, onChanged } = props;
  const t = useMessages(productMessages);
  const format = useFormat();
  const all = useQuery(productsOptions).data ?? [];
  const link = useTicketProduct();

  // One after another: an answer has all products of the ticket, and of two at once the older could come last.
  const sent = useRef<Promise<void>>(Promise.resolve());
  const change = (verb: "add" | "remove", productId: number) => {
    sent.current = sent.current.then(async () => {
      try {
        onChanged(await link.mutateAsync({ verb, ticketId, productId }));
      } catch (error) {
        toast.failure(error);
      }
    });
  };

  return (
    <DrawerSection
      title={t("title")}
      action={
        <LabelPicker
          label={t("title")}
          labels={all}
          chosen={products.map(({ id }) => id)}
          onToggle={(id) => change(products.some((product) => product.id === id) ? "remove" : "add", id)}
          opener={(opener) => (
            <EditLink type="button" aria-label={`${t("add")}: ${t("title")}`} {...opener}>
              {t("add")}
            </EditLink>
          )}
        />
      }
      isEmpty={products.length === 0}
      emptyText={t("none")}
    >
      {products.map(({ id, name, price }) => (
        <Removable
          key={id}
          removeLabel={t("remove", { name })}
          disabled={link.isPending}
          onRemove={() => change("remove", id)}
        >
          {price === null ? name : `${name} · ${format.money(price)}`}
        </Removable>
      ))}
      <Sum products={products} />
    </DrawerSection>
  );
}

/** What the products cost together. One product alone shows its price itself. */
function Sum({ products }: { readonly products: readonly Product[] }) {
  const t = useMessages(productMessages);
  const format = useFormat();
  const prices = products.flatMap(({ price }) => price ?? []);
  if (products.length < 2 || prices.length === 0) {
    return null;
  }
  const sum = format.money(prices.reduce((total, price) => total + price, 0));
  const unpriced = products.length - prices.length;
  return <Total>{unpriced === 0 ? t("sum", { sum }) : t("sumWithout", { sum, count: unpriced })}</Total>;
}

const Total = styled("p")({
  flexBasis: "100%",
  fontSize: 12,
  fontWeight: 500,
  color: color.ink2,
  fontVariantNumeric: "tabular-nums",
});

import type { Product } from "@prosa/contract/products";
import { useQuery } from "@tanstack/react-query";
import { useMessages } from "#web/lib/text/i18n.ts";
import { DrawerSection, EditLink, Removable } from "#web/ui/DrawerSection.tsx";
import { LabelPicker } from "#web/ui/LabelPicker.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { productsOptions, useTicketProduct } from "./products.api.ts";
import { productMessages } from "./products.i18n.ts";

/** The products of a ticket: choose and remove (T-20). */
export function TicketProducts(props: {
  readonly ticketId: number;
  readonly products: readonly Product[];
  readonly onChanged: (products: readonly Product[]) => void;
}) {
  const { ticketId, products } = props;
  const t = useMessages(productMessages);
  const all = useQuery(productsOptions).data ?? [];
  const link = useTicketProduct();

  const change = (verb: "add" | "remove", productId: number) =>
    link.mutate(
      { verb, ticketId, productId },
      { onSuccess: props.onChanged, onError: (error) => toast.failure(error) },
    );

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
      {products.map(({ id, name }) => (
        <Removable
          key={id}
          removeLabel={t("remove", { name })}
          disabled={link.isPending}
          onRemove={() => change("remove", id)}
        >
          {name}
        </Removable>
      ))}
    </DrawerSection>
  );
}

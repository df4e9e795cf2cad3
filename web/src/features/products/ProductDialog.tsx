import type { ProductRecord } from "@prosa/contract/products";
import { useMessages } from "#web/lib/text/i18n.ts";
import { TextField } from "#web/ui/fields/Field.tsx";
import { NumberField } from "#web/ui/fields/NumberField.tsx";
import { FieldRow, FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { productListMessages } from "./product-list.i18n.ts";
import { productsResource } from "./products.api.ts";

interface Values {
  readonly name: string;
  readonly type: string;
  /** As typed; empty: none. */
  readonly price: number | string;
}

/** Adds or changes a product: name, type and an optional price (O-10). */
export function ProductDialog(props: { readonly product: ProductRecord | undefined; readonly onClose: () => void }) {
  const { product } = props;
  const t = useMessages(productListMessages);
  const save = productsResource.useSave();
  return (
    <FormDialog<Values>
      title={product ? t("edit", { name: product.name }) : t("add")}
      values={{ name: product?.name ?? "", type: product?.type ?? "", price: product?.price ?? "" }}
      schema={() => import("#schemas/products").then((module) => module.productBody)}
      fieldOfError={{ ERR_NAME_TAKEN: "name" }}
      savedText={t("saved")}
      onClose={props.onClose}
      onSave={(whole, changed) => save.mutateAsync({ id: product?.id, body: product ? changed : whole })}
    >
      {(form, errorOf) => (
        <>
          <TextField label={t("name")} maxLength={50} error={errorOf("name")} {...form.register("name")} />
          <FieldRow>
            <TextField
              label={t("type")}
              hint={t("typeHint")}
              isOptional
              maxLength={50}
              error={errorOf("type")}
              {...form.register("type")}
            />
            <NumberField
              label={t("priceField")}
              hint={t("priceHint")}
              isOptional
              kind="money"
              error={errorOf("price")}
              {...form.register("price")}
            />
          </FieldRow>
        </>
      )}
    </FormDialog>
  );
}

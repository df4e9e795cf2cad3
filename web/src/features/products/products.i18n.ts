import { defineMessages } from "#web/lib/text/i18n.ts";

export const productMessages = defineMessages({
  pt: {
    title: "Produtos",
    add: "Adicionar",
    none: "Sem produtos",
    remove: "Tirar o produto {name}",
    sum: "Soma: {sum}",
    sumWithout: {
      zero: "Soma: {sum}",
      one: "Soma: {sum} + {count} sem preço",
      other: "Soma: {sum} + {count} sem preço",
    },
  },
  en: {
    title: "Products",
    add: "Add",
    none: "No products",
    remove: "Remove the product {name}",
    sum: "Total: {sum}",
    sumWithout: {
      zero: "Total: {sum}",
      one: "Total: {sum} + {count} without a price",
      other: "Total: {sum} + {count} without a price",
    },
  },
  es: {
    title: "Productos",
    add: "Agregar",
    none: "Sin productos",
    remove: "Quitar el producto {name}",
    sum: "Suma: {sum}",
    sumWithout: {
      zero: "Suma: {sum}",
      one: "Suma: {sum} + {count} sin precio",
      other: "Suma: {sum} + {count} sin precio",
    },
  },
});

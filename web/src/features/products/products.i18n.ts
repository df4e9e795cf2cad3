import { defineMessages } from "#web/lib/text/i18n.ts";

export const productMessages = defineMessages({
  pt: {
    title: "Produtos",
    add: "Adicionar",
    none: "Sem produtos",
    remove: "Tirar o produto {name}",
  },
  en: {
    title: "Products",
    add: "Add",
    none: "No products",
    remove: "Take off the product {name}",
  },
  es: {
    title: "Productos",
    add: "Añadir",
    none: "Sin productos",
    remove: "Quitar el producto {name}",
  },
});

import { defineMessages } from "#web/lib/text/i18n.ts";

export const tagMessages = defineMessages({
  pt: {
    title: "Etiquetas",
    edit: "Editar",
    none: "Sem etiquetas",
    remove: "Tirar a etiqueta {name}",
  },
  en: {
    title: "Tags",
    edit: "Edit",
    none: "No tags",
    remove: "Take off the tag {name}",
  },
  es: {
    title: "Etiquetas",
    edit: "Editar",
    none: "Sin etiquetas",
    remove: "Quitar la etiqueta {name}",
  },
});

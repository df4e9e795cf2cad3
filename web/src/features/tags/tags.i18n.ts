import { defineMessages } from "#web/lib/text/i18n.ts";

export const tagMessages = defineMessages({
  pt: {
    title: "Etiquetas",
    edit: "Editar",
    key: "Tecla {key} na lista de conversas",
    none: "Sem etiquetas",
    remove: "Tirar a etiqueta {name}",
  },
  en: {
    title: "Tags",
    edit: "Edit",
    key: "Key {key} in the list of conversations",
    none: "No tags",
    remove: "Remove the tag {name}",
  },
  es: {
    title: "Etiquetas",
    edit: "Editar",
    key: "Tecla {key} en la lista de conversaciones",
    none: "Sin etiquetas",
    remove: "Quitar la etiqueta {name}",
  },
});

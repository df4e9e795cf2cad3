import { defineMessages } from "#web/lib/text/i18n.ts";

/** Texts of the attachment tray; loaded with it. */
export const attachmentMessages = defineMessages({
  pt: {
    files: { one: "{count} arquivo", other: "{count} arquivos" },
    caption: "Legenda",
    takeOut: "Tirar {name}",
    dismiss: "Dispensar aviso sobre {name}",
    tooLarge: "é grande demais: o limite é {limit}.",
    badType: "é de um tipo que não é aceito.",
    empty: "está vazio.",
    unreadable: "não pôde ser lido: é uma pasta, ou o arquivo foi alterado ou apagado. Escolha-o de novo.",
    tooMany: "ficou de fora: são no máximo {count} arquivos por vez.",
  },
  en: {
    files: { one: "{count} file", other: "{count} files" },
    caption: "Caption",
    takeOut: "Remove {name}",
    dismiss: "Dismiss notice about {name}",
    tooLarge: "is too large: the limit is {limit}.",
    badType: "is of a type that is not accepted.",
    empty: "is empty.",
    unreadable: "could not be read: it is a folder, or the file was changed or deleted. Choose it again.",
    tooMany: "was left out: at most {count} files at a time.",
  },
  es: {
    files: { one: "{count} archivo", other: "{count} archivos" },
    caption: "Leyenda",
    takeOut: "Quitar {name}",
    dismiss: "Descartar el aviso sobre {name}",
    tooLarge: "es demasiado grande: el límite es {limit}.",
    badType: "es de un tipo que no se acepta.",
    empty: "está vacío.",
    unreadable: "no se pudo leer: es una carpeta, o el archivo se modificó o se borró. Elíjalo de nuevo.",
    tooMany: "quedó fuera: son como máximo {count} archivos a la vez.",
  },
});

import { defineMessages } from "#web/lib/text/i18n.ts";

export const storageMessages = defineMessages({
  pt: {
    databaseFull: "O disco do banco de dados está cheio: nada é salvo até que haja espaço.",
    filesFull: "O armazenamento de arquivos está cheio: nenhum arquivo entra até que haja espaço.",
  },
  en: {
    databaseFull: "The database disk is full: nothing is saved until there is room.",
    filesFull: "The file storage is full: no file comes in until there is room.",
  },
  es: {
    databaseFull: "El disco de la base de datos está lleno: no se guarda nada hasta que haya espacio.",
    filesFull: "El almacenamiento de archivos está lleno: no entra ningún archivo hasta que haya espacio.",
  },
});

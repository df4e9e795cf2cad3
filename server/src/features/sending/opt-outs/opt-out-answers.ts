import type { Language } from "@prosa/contract/i18n";

/** What a contact is told once after a word that counts, in the language of the line. */
export const optOutAnswers: Readonly<Record<Language, Readonly<Record<"out" | "back", string>>>> = {
  pt: {
    out: "Pronto: você não vai mais receber as nossas campanhas. Se mudar de ideia, envie *VOLTAR*.",
    back: "Combinado: você volta a receber as nossas campanhas. Para sair de novo, envie *SAIR*.",
  },
  en: {
    out: "Done: you will not receive our campaigns any more. If you change your mind, send *BACK*.",
    back: "All right: you will receive our campaigns again. To leave once more, send *STOP*.",
  },
  es: {
    out: "Listo: ya no recibirá nuestras campañas. Si cambia de idea, envíe *VOLVER*.",
    back: "De acuerdo: volverá a recibir nuestras campañas. Para salir de nuevo, envíe *SALIR*.",
  },
};

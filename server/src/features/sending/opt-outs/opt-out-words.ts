import { normalizeAnswer } from "@prosa/contract/normalize-answer";

/**
 * What a word asks for: `out` no campaigns any more, `leave` the same, or of the bot a person (behaviour 5, rule 3), `perhapsOut`
 * the same or something else, `back` campaigns again.
 */
export type OptOutWord = "out" | "leave" | "perhapsOut" | "back";

// In three languages, as they are after folding. People use what the message told them, or what other senders taught them.
const words: Readonly<Record<OptOutWord, readonly string[]>> = {
  out: [
    ...["parar", "pare", "para de mandar mensagem", "pare de mandar mensagens", "descadastrar"],
    ...["descadastre", "me descadastre", "cancelar inscricao", "sair da lista", "me tira da lista", "me tire da lista"],
    ...["nao quero receber", "nao quero receber mais", "nao quero mais receber", "nao quero mais receber mensagens"],
    ...["nao quero receber mensagens", "nao me mande mais mensagens", "nao mande mais mensagens", "nao mandar mais"],
    ...[
      "stop",
      "stop all",
      "unsubscribe",
      "opt out",
      "optout",
      "quit",
      "remove me",
      "stop messages",
      "stop texting me",
    ],
    ...["detener", "baja", "dar de baja", "darme de baja", "quiero darme de baja", "desuscribir"],
    ...["cancelar suscripcion", "no quiero recibir mas", "no quiero recibir mensajes", "no enviar mas"],
  ],
  leave: ["sair", "quero sair", "salir", "quiero salir"],
  // The answer to many a question, too.
  perhapsOut: ["cancelar", "cancela", "cancel", "nao quero mais", "no quiero mas", "remover", "exit"],
  back: ["voltar", "quero voltar", "volver", "quiero volver", "back", "start"],
};

const byText = new Map(
  (["out", "leave", "perhapsOut", "back"] as const).flatMap((word) => words[word].map((text) => [text, word] as const)),
);

/** What a whole message asks for; undefined: nothing of this, as with any longer text that contains a word. */
export function readOptOutWord(text: string): OptOutWord | undefined {
  return byText.get(plain(text));
}

/** Without case, accents and signs: "*SAIR!*" is sair. */
function plain(text: string): string {
  return normalizeAnswer(text)
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

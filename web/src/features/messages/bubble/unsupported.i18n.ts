import { defineMessages } from "#web/lib/text/i18n.ts";

/** Placeholder texts of messages that cannot be shown, by the kind in their `data.what`. */
export const unsupportedMessages = defineMessages({
  pt: {
    any: "Este tipo de mensagem ainda não aparece aqui. Veja no telefone.",
    viewOnce: "Foto, vídeo ou áudio de visualização única. Só abre no telefone.",
    metaAi: "Mensagem da Meta AI. Só aparece no telefone.",
    hosted: "Mensagem de um número hospedado pela Meta. Só aparece no telefone.",
    undecryptable: "Esta mensagem ainda não pôde ser lida. Foi pedida de novo; enquanto não chega, veja no telefone.",
    absent: "O WhatsApp não tem mais o conteúdo desta mensagem. Veja no telefone.",
    unreadable: "O conteúdo desta mensagem não pôde ser guardado. Veja no telefone.",
    edit: "Uma mensagem desta conversa foi editada.",
    revoke: "Uma mensagem desta conversa foi apagada.",
    reaction: "Reação a uma mensagem desta conversa.",
    poll: "Enquete. Veja no telefone.",
    pollVote: "Voto em uma enquete. Veja no telefone.",
    event: "Evento. Veja no telefone.",
    eventAnswer: "Resposta a um evento. Veja no telefone.",
    groupInvite: "Convite para um grupo. Abra no telefone.",
    product: "Produto do catálogo. Veja no telefone.",
    order: "Pedido do catálogo. Veja no telefone.",
    payment: "Pagamento. Veja no telefone.",
  },
  en: {
    any: "This kind of message is not shown here yet. See it on the phone.",
    viewOnce: "View-once photo, video or audio. It opens on the phone only.",
    metaAi: "Message from Meta AI. It is shown on the phone only.",
    hosted: "Message from a number hosted by Meta. It is shown on the phone only.",
    undecryptable: "This message could not be read yet. It was asked for again; until it comes, see it on the phone.",
    absent: "WhatsApp no longer has the content of this message. See it on the phone.",
    unreadable: "The content of this message could not be stored. See it on the phone.",
    edit: "A message in this conversation was edited.",
    revoke: "A message in this conversation was deleted.",
    reaction: "Reaction to a message in this conversation.",
    poll: "Poll. See it on the phone.",
    pollVote: "Vote in a poll. See it on the phone.",
    event: "Event. See it on the phone.",
    eventAnswer: "Answer to an event. See it on the phone.",
    groupInvite: "Invitation to a group. Open it on the phone.",
    product: "Product from the catalogue. See it on the phone.",
    order: "Order from the catalogue. See it on the phone.",
    payment: "Payment. See it on the phone.",
  },
  es: {
    any: "Este tipo de mensaje todavía no se muestra aquí. Véalo en el teléfono.",
    viewOnce: "Foto, video o audio de una sola visualización. Solo se abre en el teléfono.",
    metaAi: "Mensaje de Meta AI. Solo se muestra en el teléfono.",
    hosted: "Mensaje de un número alojado por Meta. Solo se muestra en el teléfono.",
    undecryptable: "Este mensaje todavía no se pudo leer. Se pidió de nuevo; mientras no llega, véalo en el teléfono.",
    absent: "WhatsApp ya no tiene el contenido de este mensaje. Véalo en el teléfono.",
    unreadable: "El contenido de este mensaje no se pudo guardar. Véalo en el teléfono.",
    edit: "Se editó un mensaje de esta conversación.",
    revoke: "Se eliminó un mensaje de esta conversación.",
    reaction: "Reacción a un mensaje de esta conversación.",
    poll: "Encuesta. Véala en el teléfono.",
    pollVote: "Voto en una encuesta. Véalo en el teléfono.",
    event: "Evento. Véalo en el teléfono.",
    eventAnswer: "Respuesta a un evento. Véala en el teléfono.",
    groupInvite: "Invitación a un grupo. Ábrala en el teléfono.",
    product: "Producto del catálogo. Véalo en el teléfono.",
    order: "Pedido del catálogo. Véalo en el teléfono.",
    payment: "Pago. Véalo en el teléfono.",
  },
});

/** The key of a kind's text; `any` for a kind without one. */
export function unsupportedLabel(what: unknown): keyof typeof unsupportedMessages.pt {
  return typeof what === "string" && Object.hasOwn(unsupportedMessages.pt, what)
    ? (what as keyof typeof unsupportedMessages.pt)
    : "any";
}

import { defineMessages } from "#web/lib/text/i18n.ts";

/** Texts of the composer that nothing else of a conversation uses; loaded with it. */
export const composerMessages = defineMessages({
  pt: {
    firstHeld:
      "O WhatsApp limitou novas conversas por esta conexão. O que você escrever sai depois de {at}, ou assim que o contato escrever.",
    mode: "O que você escreve",
    reply: "Responder",
    note: "Nota",
    writePhone: "Mensagem",
    writeNote: "Escreva uma nota para a equipe",
    noteLabel: "Nota para a equipe",
    saveNote: "Salvar nota",
    noteSaved: "Observação adicionada com sucesso!",
    noteShort: { one: "Escreva ao menos {count} letra.", other: "Escreva ao menos {count} letras." },
    editNotSaved:
      "A edição na conversa com {name} não foi salva. {reason} Ao editar a mensagem de novo, o texto que você escreveu volta.",
    signs: "assina {name}",
    signsHint: "Põe seu nome antes da mensagem",
    later: "Enviar mais tarde",
    more: "Anexar e mais opções",
    assist: "Ajuda da IA",
    quickReplies: "Respostas rápidas",
    variables: "Variáveis",
    writeANote: "Escrever nota para a equipe",
    tooLong: {
      one: "A mensagem passa do limite de {limit} letras por {excess} letra. Divida em duas ou envie como arquivo.",
      other: "A mensagem passa do limite de {limit} letras por {excess} letras. Divida em duas ou envie como arquivo.",
    },
  },
  en: {
    firstHeld:
      "WhatsApp has limited new conversations on this connection. What you write goes out after {at}, or as soon as the contact writes.",
    mode: "What you write",
    reply: "Reply",
    note: "Note",
    writePhone: "Message",
    writeNote: "Write a note for the team",
    noteLabel: "Note for the team",
    saveNote: "Save note",
    noteSaved: "Note added!",
    noteShort: { one: "Write at least {count} letter.", other: "Write at least {count} letters." },
    editNotSaved:
      "The edit in the conversation with {name} was not saved. {reason} What you wrote comes back when you edit the message again.",
    signs: "signs {name}",
    signsHint: "Puts your name before the message",
    later: "Send later",
    more: "Attach and more",
    assist: "AI help",
    quickReplies: "Quick replies",
    variables: "Variables",
    writeANote: "Write a note for the team",
    tooLong: {
      one: "The message is {excess} letter over the limit of {limit}. Split it in two, or send it as a file.",
      other: "The message is {excess} letters over the limit of {limit}. Split it in two, or send it as a file.",
    },
  },
  es: {
    firstHeld:
      "WhatsApp limitó las conversaciones nuevas de esta conexión. Lo que escriba sale después de {at}, o en cuanto el contacto escriba.",
    mode: "Lo que escribe",
    reply: "Responder",
    note: "Nota",
    writePhone: "Mensaje",
    writeNote: "Escriba una nota para el equipo",
    noteLabel: "Nota para el equipo",
    saveNote: "Guardar nota",
    noteSaved: "¡Nota agregada con éxito!",
    noteShort: { one: "Escriba al menos {count} letra.", other: "Escriba al menos {count} letras." },
    editNotSaved:
      "La edición en la conversación con {name} no se guardó. {reason} Al editar el mensaje de nuevo, vuelve el texto que escribió.",
    signs: "firma {name}",
    signsHint: "Pone su nombre antes del mensaje",
    later: "Enviar más tarde",
    more: "Adjuntar y más opciones",
    assist: "Ayuda de la IA",
    quickReplies: "Respuestas rápidas",
    variables: "Variables",
    writeANote: "Escribir una nota para el equipo",
    tooLong: {
      one: "El mensaje supera el límite de {limit} letras por {excess} letra. Divídalo en dos o envíelo como archivo.",
      other:
        "El mensaje supera el límite de {limit} letras por {excess} letras. Divídalo en dos o envíelo como archivo.",
    },
  },
});

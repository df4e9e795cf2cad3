import type { RecipientState, SendFailure } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";

interface ExportWords {
  readonly headings: readonly string[];
  readonly states: Readonly<Record<RecipientState, string>>;
  /** Of the message; other reasons are error codes, whose words the contract has. */
  readonly failures: Readonly<Partial<Record<SendFailure, string>>>;
}

/** The words of the exported report, in the order of its columns. */
export const exportWords: Readonly<Record<Language, ExportWords>> = {
  pt: {
    headings: [
      ...["Nome", "Número", "E-mail", "Estado", "Motivo", "Mensagem"],
      ...["Confirmação pedida", "Confirmada", "Enviada", "Entregue", "Lida", "Respondida"],
    ],
    states: {
      unchecked: "Número não verificado",
      waiting: "Aguardando",
      asked: "Confirmação pedida",
      agreed: "Confirmada",
      queued: "Na fila",
      sent: "Enviada",
      delivered: "Entregue",
      read: "Lida",
      failed: "Falhou",
      declined: "Recusada",
      unanswered: "Sem resposta",
      optedOut: "Não quer receber",
      invalid: "Número inválido",
      duplicate: "Repetido",
    },
    failures: {
      notConnected: "A conexão está fora do ar",
      timeout: "O WhatsApp não respondeu",
      refused: "O WhatsApp recusou a mensagem",
      notAllowed: "O WhatsApp não deixa esta linha escrever nesta conversa",
      limited: "O WhatsApp limitou novas conversas desta linha",
      tooMany: "Mensagens demais de uma vez para o WhatsApp",
      devices: "O WhatsApp não soube dizer em que aparelhos o contato está",
      serverFault: "O WhatsApp teve uma falha",
      invalidContact: "Este número não está no WhatsApp",
      file: "O arquivo não pôde ser enviado",
      voice: "O áudio não pôde ser convertido",
      connectionDeleted: "A conexão foi excluída",
      unknown: "Não foi possível enviar",
    },
  },
  en: {
    headings: [
      ...["Name", "Number", "Email", "Result", "Reason", "Message"],
      ...["Confirmation requested", "Confirmed", "Sent", "Delivered", "Read", "Answered"],
    ],
    states: {
      unchecked: "Number not checked",
      waiting: "Waiting",
      asked: "Confirmation requested",
      agreed: "Confirmed",
      queued: "Queued",
      sent: "Sent",
      delivered: "Delivered",
      read: "Read",
      failed: "Failed",
      declined: "Declined",
      unanswered: "No answer",
      optedOut: "Opted out",
      invalid: "Invalid number",
      duplicate: "Duplicate",
    },
    failures: {
      notConnected: "The connection is down",
      timeout: "WhatsApp did not answer",
      refused: "WhatsApp refused the message",
      notAllowed: "WhatsApp does not let this line write in this conversation",
      limited: "WhatsApp limited new conversations on this line",
      tooMany: "Too many messages at once for WhatsApp",
      devices: "WhatsApp could not tell which devices the contact has",
      serverFault: "WhatsApp had a problem",
      invalidContact: "This number is not on WhatsApp",
      file: "The file could not be sent",
      voice: "The audio could not be converted",
      connectionDeleted: "The connection was deleted",
      unknown: "It could not be sent",
    },
  },
  es: {
    headings: [
      ...["Nombre", "Número", "Correo", "Resultado", "Motivo", "Mensaje"],
      ...["Confirmación solicitada", "Confirmado", "Enviado", "Entregado", "Leído", "Respondido"],
    ],
    states: {
      unchecked: "Número sin verificar",
      waiting: "En espera",
      asked: "Confirmación solicitada",
      agreed: "Confirmado",
      queued: "En cola",
      sent: "Enviado",
      delivered: "Entregado",
      read: "Leído",
      failed: "Falló",
      declined: "Rechazado",
      unanswered: "Sin respuesta",
      optedOut: "No quiere recibir",
      invalid: "Número inválido",
      duplicate: "Repetido",
    },
    failures: {
      notConnected: "La conexión está caída",
      timeout: "WhatsApp no respondió",
      refused: "WhatsApp rechazó el mensaje",
      notAllowed: "WhatsApp no deja que esta línea escriba en esta conversación",
      limited: "WhatsApp limitó las conversaciones nuevas de esta línea",
      tooMany: "Demasiados mensajes a la vez para WhatsApp",
      devices: "WhatsApp no supo decir en qué dispositivos está el contacto",
      serverFault: "WhatsApp tuvo una falla",
      invalidContact: "Este número no está en WhatsApp",
      file: "No se pudo enviar el archivo",
      voice: "No se pudo convertir el audio",
      connectionDeleted: "La conexión fue eliminada",
      unknown: "No se pudo enviar",
    },
  },
};

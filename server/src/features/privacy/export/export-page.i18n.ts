import type { OptOutSource, TicketStatus } from "@prosa/contract";
import type { Language } from "@prosa/contract/i18n";

/** The lists of `findPersonalFacts`. */
type Part =
  | "contact"
  | "identifiers"
  | "conversations"
  | "services"
  | "notes"
  | "schedules"
  | "contactLists"
  | "campaigns"
  | "reactions"
  | "optOuts";

/** Their columns that a person reads; the ids stand in the JSON alone. */
export type Column =
  | "answeredAt"
  | "at"
  | "body"
  | "campaign"
  | "connection"
  | "conversation"
  | "createdAt"
  | "email"
  | "emoji"
  | "extraInfo"
  | "finishedAt"
  | "isBlocked"
  | "kind"
  | "list"
  | "name"
  | "note"
  | "number"
  | "optedOutAt"
  | "protocol"
  | "queue"
  | "queuedAt"
  | "rating"
  | "readAt"
  | "sendAt"
  | "sentAt"
  | "source"
  | "startedAt"
  | "state"
  | "status"
  | "takenBackAt"
  | "value"
  | "word";

export interface ExportPageWords {
  readonly title: string;
  readonly messages: string;
  readonly groupMessages: string;
  readonly company: string;
  readonly deleted: string;
  readonly yes: string;
  readonly no: string;
  /** Names of the archive and in it. */
  readonly files: Readonly<Record<"archive" | "data" | "page" | "folder" | "file", string>>;
  readonly parts: Readonly<Record<Part, string>>;
  readonly columns: Readonly<Record<Column, string>>;
  readonly statuses: Readonly<Record<TicketStatus, string>>;
  readonly sources: Readonly<Record<OptOutSource, string>>;
  readonly kinds: Readonly<Record<"phone" | "lid" | "group", string>>;
}

export const exportPageWords: Readonly<Record<Language, ExportPageWords>> = {
  pt: {
    title: "Dados pessoais",
    messages: "Mensagens",
    groupMessages: "Mensagens em grupos",
    company: "Empresa",
    deleted: "(apagada)",
    yes: "Sim",
    no: "Não",
    files: { archive: "contato", data: "dados.json", page: "pagina.html", folder: "arquivos", file: "arquivo" },
    parts: {
      contact: "Contato",
      identifiers: "Identificadores no WhatsApp",
      conversations: "Conversas",
      services: "Atendimentos",
      notes: "Notas",
      schedules: "Agendamentos",
      contactLists: "Listas de contatos",
      campaigns: "Campanhas",
      reactions: "Reações",
      optOuts: "Pedidos para não receber",
    },
    columns: {
      answeredAt: "Respondida em",
      at: "Quando",
      body: "Texto",
      campaign: "Campanha",
      connection: "Conexão",
      conversation: "Conversa",
      createdAt: "Criação",
      email: "E-mail",
      emoji: "Reação",
      extraInfo: "Outros dados",
      finishedAt: "Fim",
      isBlocked: "Bloqueado",
      kind: "Tipo",
      list: "Lista",
      name: "Nome",
      note: "Nota",
      number: "Número",
      optedOutAt: "Não quer receber desde",
      protocol: "Protocolo",
      queue: "Fila",
      queuedAt: "Entrada",
      rating: "Avaliação",
      readAt: "Lida em",
      sendAt: "Para enviar em",
      sentAt: "Enviada em",
      source: "Origem",
      startedAt: "Início",
      state: "Resultado",
      status: "Estado",
      takenBackAt: "Desfeito em",
      value: "Valor",
      word: "Palavra",
    },
    statuses: { pending: "Aguardando", open: "Em atendimento", closed: "Resolvida" },
    sources: { word: "O contato pediu", person: "A equipe registrou", declined: "O contato recusou a confirmação" },
    kinds: { phone: "Telefone", lid: "Identificador do WhatsApp", group: "Grupo" },
  },
  en: {
    title: "Personal data",
    messages: "Messages",
    groupMessages: "Messages in groups",
    company: "Company",
    deleted: "(deleted)",
    yes: "Yes",
    no: "No",
    files: { archive: "contact", data: "data.json", page: "page.html", folder: "files", file: "file" },
    parts: {
      contact: "Contact",
      identifiers: "Identifiers on WhatsApp",
      conversations: "Conversations",
      services: "Times served",
      notes: "Notes",
      schedules: "Scheduled messages",
      contactLists: "Contact lists",
      campaigns: "Campaigns",
      reactions: "Reactions",
      optOuts: "Opt-outs",
    },
    columns: {
      answeredAt: "Answered",
      at: "When",
      body: "Text",
      campaign: "Campaign",
      connection: "Connection",
      conversation: "Conversation",
      createdAt: "Created",
      email: "Email",
      emoji: "Reaction",
      extraInfo: "Other data",
      finishedAt: "Ended",
      isBlocked: "Blocked",
      kind: "Type",
      list: "List",
      name: "Name",
      note: "Note",
      number: "Number",
      optedOutAt: "Opted out",
      protocol: "Reference number",
      queue: "Queue",
      queuedAt: "Queued",
      rating: "Rating",
      readAt: "Read",
      sendAt: "To be sent",
      sentAt: "Sent",
      source: "Source",
      startedAt: "Started",
      state: "Result",
      status: "Status",
      takenBackAt: "Taken back",
      value: "Value",
      word: "Word",
    },
    statuses: { pending: "Waiting", open: "Being served", closed: "Resolved" },
    sources: { word: "The contact asked", person: "The team noted it", declined: "The contact declined to confirm" },
    kinds: { phone: "Phone", lid: "WhatsApp identifier", group: "Group" },
  },
  es: {
    title: "Datos personales",
    messages: "Mensajes",
    groupMessages: "Mensajes en grupos",
    company: "Empresa",
    deleted: "(eliminado)",
    yes: "Sí",
    no: "No",
    files: { archive: "contacto", data: "datos.json", page: "pagina.html", folder: "archivos", file: "archivo" },
    parts: {
      contact: "Contacto",
      identifiers: "Identificadores en WhatsApp",
      conversations: "Conversaciones",
      services: "Atenciones",
      notes: "Notas",
      schedules: "Mensajes programados",
      contactLists: "Listas de contactos",
      campaigns: "Campañas",
      reactions: "Reacciones",
      optOuts: "Solicitudes de no recibir",
    },
    columns: {
      answeredAt: "Respondida",
      at: "Cuándo",
      body: "Texto",
      campaign: "Campaña",
      connection: "Conexión",
      conversation: "Conversación",
      createdAt: "Creación",
      email: "Correo",
      emoji: "Reacción",
      extraInfo: "Otros datos",
      finishedAt: "Fin",
      isBlocked: "Bloqueado",
      kind: "Tipo",
      list: "Lista",
      name: "Nombre",
      note: "Nota",
      number: "Número",
      optedOutAt: "No quiere recibir desde",
      protocol: "Protocolo",
      queue: "Cola",
      queuedAt: "Entrada",
      rating: "Evaluación",
      readAt: "Leída",
      sendAt: "Para enviar el",
      sentAt: "Enviada",
      source: "Origen",
      startedAt: "Inicio",
      state: "Resultado",
      status: "Estado",
      takenBackAt: "Deshecho",
      value: "Valor",
      word: "Palabra",
    },
    statuses: { pending: "En espera", open: "En atención", closed: "Resuelta" },
    sources: {
      word: "El contacto lo pidió",
      person: "El equipo lo registró",
      declined: "El contacto rechazó confirmar",
    },
    kinds: { phone: "Teléfono", lid: "Identificador de WhatsApp", group: "Grupo" },
  },
};

import type { Message } from "@prosa/contract/messages";
import type { Note } from "@prosa/contract/notes";
import type { Episode, Ticket } from "@prosa/contract/tickets";
import type { TicketList } from "./tickets/ticket-lists.ts";

const contact = {
  id: 7,
  name: "Camila Souza",
  number: "5511987654321",
  email: "",
  isGroup: false,
  urlPicture: null,
  profilePicUrl: null,
};

/** A ticket of a story, with what matters to it said. */
export function aTicket(change: Partial<Ticket> = {}): Ticket {
  const id = change.id ?? 1;
  return {
    id,
    uuid: `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`,
    status: "open",
    userId: 1,
    user: { id: 1, name: "Marina" },
    queueId: 3,
    queue: { id: 3, name: "Vendas", color: "#1f7ae0", waitWarningMinutes: 15, waitLimitMinutes: 60 },
    contactId: contact.id,
    contact,
    whatsappId: 1,
    whatsapp: { id: 1, name: "WhatsApp 1" },
    tags: [],
    products: [],
    chatbot: false,
    isGroup: false,
    lastMessage: "Oi",
    lastMessageType: "chat",
    lastMessageFromMe: false,
    lastMessageAuthor: null,
    lastMessageFailed: false,
    lastMessageAt: "2026-11-21T12:00:00.000Z",
    waitingSince: null,
    unreadMessages: 0,
    useIntegration: false,
    integrationId: null,
    promptId: null,
    protocol: "202611211200001",
    createdAt: "2026-11-20T12:00:00.000Z",
    updatedAt: "2026-11-21T12:00:00.000Z",
    version: 1,
    ...change,
  };
}

export function aMessage(change: Partial<Message> = {}): Message {
  const id = change.id ?? 1;
  return {
    id,
    ticketId: 1,
    clientId: null,
    body: `mensagem ${id}`,
    fromMe: false,
    isAutomatic: false,
    read: true,
    ack: 0,
    failReason: null,
    changeFailure: null,
    mediaType: "chat",
    mediaUrl: null,
    mediaPath: null,
    media: null,
    transcript: null,
    linkPreview: null,
    data: null,
    quotedMsgId: null,
    quotedMsg: null,
    isDeleted: false,
    isEdited: false,
    reactions: [],
    createdAt: "2026-11-21T12:00:00.000Z",
    sequence: id,
    contact,
    participant: null,
    user: null,
    queueId: 3,
    version: 1,
    ...change,
  };
}

export function anEpisode(change: Partial<Episode> = {}): Episode {
  return {
    id: 1,
    ticketId: 1,
    protocol: "202611211200001",
    queuedAt: "2026-11-21T11:59:00.000Z",
    startedAt: null,
    finishedAt: null,
    user: null,
    queue: null,
    rating: null,
    ...change,
  };
}

export function aNote(change: Partial<Note> = {}): Note {
  return {
    id: 1,
    note: "aceitar 10% no Pix",
    user: { id: 2, name: "Paulo" },
    ticketId: 1,
    contactId: contact.id,
    createdAt: "2026-11-21T12:00:00.000Z",
    ...change,
  };
}

/** A list of the desk without filters: the user's own open conversations. */
export function aTicketList(change: Partial<TicketList> = {}): TicketList {
  return {
    status: "open",
    showAll: false,
    queueIds: [],
    tags: [],
    users: [],
    searchParam: "",
    withUnreadMessages: false,
    ...change,
  };
}

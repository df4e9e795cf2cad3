export { foundPieces, lastMessageLine, lastMessagePreview } from "./last-message-preview.ts";
export { TicketRow, ticketRowHeight, type TicketRowProps } from "./TicketRow.tsx";

export { applyContactBlock } from "./contact-block.ts";
export { decideMove, decideTransfer } from "./decide-move.ts";
export { acceptTicket, resolveTicket, returnTicket } from "./move-ticket.ts";
export { tellNewOwner } from "./tell-new-owner.ts";
export { checkTransferTarget, transferTicket } from "./transfer-ticket.ts";
export { listTransferTargets } from "./transfer-targets.ts";
export { updateTicket } from "./update-ticket.ts";
export type { MovePorts } from "./update-ticket.ts";
export type { MoveUnsent } from "./move-unsent-port.ts";

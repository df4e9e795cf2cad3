import type { Colleague, User } from "@prosa/contract";
import type { UserRow } from "./users.queries.ts";

export function userView(row: UserRow): User {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    profile: row.profile,
    // spelled as the specification spells it
    allTicket: row.all_ticket ? "enabled" : "desabled",
    whatsappId: row.connection_id,
    super: row.is_super,
    companyId: row.company_id,
    online: row.is_online,
    queues: row.queues,
    invitation: row.invitation_expires_at && { expiresAt: row.invitation_expires_at.toISOString() },
  };
}

export function colleagueView(row: UserRow): Colleague {
  const { id, name, profile, online, queues } = userView(row);
  return { id, name, profile, online, queues };
}

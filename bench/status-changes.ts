import type { Ticket } from "@prosa/contract";
import type { Change } from "./socket-clients.ts";

/** Changes the status of a ticket; returns its new version, and when the answer came. */
export async function changeStatus(url: string, token: string, id: number, status: string): Promise<Change> {
  const answer = await fetch(`${url}/tickets/${id}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ status }),
  });
  if (!answer.ok) {
    throw new Error(await answer.text());
  }
  const { version } = (await answer.json()) as Ticket;
  return { ticketId: id, version, answeredAt: performance.timeOrigin + performance.now() };
}

/** Ids of the first page of the waiting tickets. */
export async function pendingTickets(url: string, token: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/tickets?status=pending&showAll=true`, { headers });
  const { tickets } = (await answer.json()) as { tickets: { id: number }[] };
  return tickets.map(({ id }) => id);
}

import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { changeSchedules, dropSchedules, showSchedule } from "./schedules.api.ts";

/** Calendars follow schedules, and the contacts whose names they show: deleting a contact deletes its schedules. */
export const schedulesRealtime: RealtimeHandlers = {
  schedule: (packet, queryClient) =>
    packet.action === "delete"
      ? dropSchedules(queryClient, ({ id }) => id === packet.id)
      : showSchedule(queryClient, packet.record),
  contact: (packet, queryClient) => {
    if (packet.action === "delete") {
      dropSchedules(queryClient, ({ contactId }) => contactId === packet.contactId);
    } else {
      const { id, name, number } = packet.contact;
      changeSchedules(queryClient, (schedules) =>
        schedules.map((schedule) =>
          schedule.contactId === id ? { ...schedule, contact: { id, name, number } } : schedule,
        ),
      );
    }
  },
};

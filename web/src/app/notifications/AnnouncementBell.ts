import { AnnouncementBell, announcementsRealtime } from "#web/features/announcements/index.ts";
import { registerRealtime } from "#web/lib/realtime/realtime.ts";

registerRealtime(announcementsRealtime);

export { AnnouncementBell };

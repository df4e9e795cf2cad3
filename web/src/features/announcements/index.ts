export { AnnouncementBell } from "./AnnouncementBell.tsx";
export { AnnouncementDialog } from "./AnnouncementDialog.tsx";
export { announcementsResource } from "./announcements.api.ts";
export { administrationMessages } from "./announcements.i18n.ts";
export { announcementsRealtime } from "./announcements.realtime.ts";
export { Priority, priorityTextKey } from "./Priority.tsx";

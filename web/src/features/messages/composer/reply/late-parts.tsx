/** What of the reply's form is fetched after it. */
import { lazyOrNothing } from "#web/lib/browser/lazy-or-nothing.ts";
import { lateComponent } from "#web/ui/lateComponent.tsx";
import { RecorderPlaceholder } from "./reply-styles.ts";

/** The code of the tray, and of nothing else: for fetching it ahead. */
export const loadTray = () => import("#web/features/messages/composer/files/AttachmentTray.tsx");
export const AttachmentTray = lazyOrNothing(async () => (await loadTray()).AttachmentTray);

export const VoiceRecorder = lateComponent(
  async () => (await import("#web/features/messages/voice/index.ts")).VoiceRecorder,
  () => <RecorderPlaceholder />,
);

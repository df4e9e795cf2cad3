import type { RealtimeHandlers } from "#web/lib/realtime/realtime.ts";
import { quickMessagesKey } from "./quick-replies.api.ts";

/** Refetches after a change: only the server knows which quick messages this user may see. */
export const quickMessagesRealtime: RealtimeHandlers = {
  quickmessage: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: [quickMessagesKey] }),
};

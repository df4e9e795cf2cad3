import type { RealtimeHandlers } from "#web/lib/realtime.ts";
import { quickMessagesKey } from "./sendable.ts";

/** Somebody of the company changed one; which ones this person sees, the server knows. */
export const quickMessagesRealtime: RealtimeHandlers = {
  quickmessage: (_, queryClient) => void queryClient.invalidateQueries({ queryKey: [quickMessagesKey] }),
};

import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";

export { useAgentAssist } from "./useAgentAssist.tsx";
/** Which prompt drafts for the agents; fetched when it opens. */
export const AssistSettings = lateDialog(async () => (await import("./AssistSettings.tsx")).AssistSettings);

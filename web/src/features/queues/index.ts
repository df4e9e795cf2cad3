export { OptionTree } from "./OptionTree.tsx";
export { QueueDialog } from "./QueueDialog.tsx";
export type { AssistantFields } from "./QueueDialog.tsx";
export { queuesRealtime, queuesResource, useQueues } from "./queues.api.ts";
export { queueMessages } from "./queues.i18n.ts";
export { queueChoicesRealtime, queuesOptions } from "./queues.lookup.ts";

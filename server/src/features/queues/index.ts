export type { TreeNode } from "./option-tree.ts";
export type { QueueOptionRow } from "./queue-options.queries.ts";
export { changeFile, createOption, optionTreesOf } from "./queue-options.service.ts";
export { refuseReferences } from "./references.ts";
export { queueEvents } from "./queues.events.ts";
export { createQueue, getQueue, queuesOf, removeQueue, updateQueue } from "./queues.service.ts";

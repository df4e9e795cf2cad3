export { createQueue, getQueue, queuesOf, removeQueue, updateQueue } from "./queues.service.ts";

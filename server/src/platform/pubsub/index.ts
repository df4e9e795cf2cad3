export { createPubSub } from "./pubsub.ts";
export type { PubSub } from "./pubsub.ts";

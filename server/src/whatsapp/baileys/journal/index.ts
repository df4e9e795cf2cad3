export { Journal } from "./journal.ts";
export { KeyStore } from "./key-store.ts";
export { WriteBarrier } from "./write-barrier.ts";
export type { RawSocket } from "./write-barrier.ts";

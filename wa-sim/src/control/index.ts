export { serveControl } from "./serve-control.ts";
export type { ChatView, GroupMessageView, GroupView } from "./verbs.ts";

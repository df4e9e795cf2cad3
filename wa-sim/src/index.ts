export { WaSim } from "./sim.ts";
export type { Refusal, WaSimOptions } from "./sim.ts";
export type { ChatView, GroupMessageView, GroupView } from "./control/index.ts";
export type { Call, Withheld } from "./delivery/index.ts";
export type { Content, MessageView, ReceivedContent, Status } from "./messages/index.ts";
export type { Companion, DeviceView, Faults, Group, Kick, LimitsView, Stats } from "./network/index.ts";
export type { HistoryMessage, Person, Phone, SentMessage } from "./people/index.ts";

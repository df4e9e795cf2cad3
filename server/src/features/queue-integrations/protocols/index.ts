export { answerLost, IntegrationError, silence } from "./protocol.ts";
export { contextMs, detectIntent, dialogflowContext } from "./dialogflow.ts";
export type { AnswerPart, CalledIntegration, Caller, Protocol, ProtocolAnswer, Session, Talk } from "./protocol.ts";
export { playTypebot } from "./typebot.ts";
export { callBodyOf, postSigned } from "./webhook.ts";

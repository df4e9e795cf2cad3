export { longestPauseMs, pauseAskedFor } from "./asked-pause.ts";
export { answerByAssistant, ASSISTANT_TASK, assistantJob } from "./answer-by-assistant.ts";
export type {
  AssistantDriver,
  AssistantDrivers,
  AssistantRequest,
  CreateAssistantDriver,
  SaidToAssistant,
} from "./assistant-driver.ts";
export { kindsOf } from "./assistant-driver.ts";
export { readAssistantName } from "./assistants.queries.ts";

export { ASK_TASK, answerQuestion, askElsewhere, askHere } from "./line-rpc.ts";
export type { AnswerOf, ArgsOf, Question } from "./line-rpc.ts";
export { pruneRpcResults } from "./line-rpc-results.queries.ts";

export { answerOnce } from "./answer-once.ts";
export { forgetAnswers, pruneAnswers, sealedAnswers } from "./answered-requests.ts";
export { readKeyedRequest } from "./keyed-request.ts";

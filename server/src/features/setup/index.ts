export { createOperator, findOperatorEmail } from "./create-operator.ts";
export { currentSetupCode, sameStartMs } from "./setup-code.ts";

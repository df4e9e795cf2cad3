export { pruneSignUpsCron } from "./prune-sign-ups.ts";
export { openSignUpForm, signUp } from "./sign-up.ts";

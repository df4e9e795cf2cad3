export { openSignUpForm, signUp } from "./sign-up.ts";

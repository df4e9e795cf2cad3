export { SecondStep } from "./SecondStep.tsx";
export { signInWithPasskey } from "./sign-in-with-passkey.ts";
export { SecurityDialog } from "./SecurityDialog.tsx";

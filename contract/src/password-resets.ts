import { z } from "zod";
import { done, emailAddress } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { userBody } from "./users.ts";

/** For how long the code of a password reset can be used (behaviour 1). */
export const resetCodeMinutes = 30;

/** As typed: case, spaces and hyphens do not matter. */
const token = z.string().trim().min(1, "Required").max(100);

/** The rules of the new password are those of a user. */
export const passwordReset = z.object({ email: emailAddress, token, password: userBody.shape.password });
export type PasswordReset = z.output<typeof passwordReset>;

const reset = { method: "POST", access: { who: "public" }, response: done } as const;

/** Password reset in two steps. */
export const passwordResets = {
  request: endpoint({
    ...reset,
    path: "/forgetpassword/:email",
    summary: "Mail a code for a new password; 404 where nobody has this e-mail (A-10)",
    params: z.object({ email: emailAddress }),
  }),
  reset: endpoint({
    ...reset,
    path: "/resetpasswords",
    summary: "Set a new password with the code of the mail, and end all sessions of the user (A-10)",
    body: passwordReset,
  }),
  /** The form of the specification, for other clients: a path may be logged on its way, a body is not. */
  resetByPath: endpoint({
    ...reset,
    path: "/resetpasswords/:email/:token/:password",
    summary: "The same with the values in the path, as the specification has it (A-10)",
    params: passwordReset,
  }),
} as const;

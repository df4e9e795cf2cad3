import { z } from "zod";
import { done, emailAddress } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** For how long the code of a password reset can be used (behaviour 1). */
export const resetCodeMinutes = 30;

/** As typed: case, spaces and hyphens do not matter. */
const token = z.string().trim().min(1, "Required").max(100);

/**
 * Specification 2, section 5. Stricter than `userBody.password`, which the specification gives for sign-up and the user form
 * (decision 0245). Letters with accents count; the greatest length stays that of a user.
 */
const newPassword = z
  .string()
  .regex(
    /^(?=.*\p{Lu})(?=.*\p{Ll})(?=.*\d).{8,}$/su,
    "Sua senha precisa ter no mínimo 8 caracteres, sendo uma letra maiúscula, uma minúscula e um número.",
  )
  .max(50, "Too Long!");

export const passwordReset = z.object({ email: emailAddress, token, password: newPassword });
export type PasswordReset = z.output<typeof passwordReset>;

/** The screen's form: what is typed twice is compared there, and sent once. Each field says what is wrong with it at once. */
export const passwordResetForm = passwordReset
  .extend({ confirmation: z.string().min(1, "Required") })
  .refine(({ password, confirmation }) => confirmation === "" || password === confirmation, {
    path: ["confirmation"],
    message: "As senhas não correspondem",
    when: ({ value }) => typeof value === "object" && value !== null,
  });

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

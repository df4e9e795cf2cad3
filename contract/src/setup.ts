import { z } from "zod";
import { done, emailAddress, name2to50 } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** For how long a code that the server printed opens the first page; a start or `npm run setup -- --code` makes a new one. */
export const setupCodeHours = 24;

/** The page of an installation without an operator. The code may stand behind it as a fragment, which no server is sent. */
export const setupPath = "/setup";

export const setupBody = z.object({
  /** As typed: case, spaces and hyphens do not matter. */
  code: z.string().trim().min(1, "Required").max(100, "Too Long!"),
  name: name2to50,
  email: emailAddress,
  /** The operator reaches every company, so the password is longer than that of a user. */
  password: z.string().min(8, "Too Short!").max(200, "Too Long!"),
  company: name2to50,
});
export type SetupBody = z.output<typeof setupBody>;

/** Setting up an installation in the browser; every call is ERR_NO_SETUP_FOUND (404) once there is an operator. */
export const setup = {
  state: endpoint({
    method: "GET",
    path: setupPath,
    summary: "The suggested name of the operator's company, where there is no operator yet (Z-05)",
    access: { who: "public" },
    response: z.object({ company: z.string() }),
  }),
  create: endpoint({
    method: "POST",
    path: setupPath,
    summary: "Create the operator with the code that the server printed (Z-05)",
    access: { who: "public" },
    body: setupBody,
    response: done,
  }),
} as const;

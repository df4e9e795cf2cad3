import { connections } from "@prosa/contract/connections";
import { useMutation } from "@tanstack/react-query";
import { send } from "#web/lib/api/transport.ts";
import { randomHex } from "#web/lib/browser/random.ts";
import { call } from "#web/lib/session/session.ts";

/** The path of the call, as other software writes it. */
export const sendPath = "/api/messages/send";

/** Gives a connection a new token; the old one stops working. Answers it, for it is shown this once (decision 0149). */
export function useNewToken() {
  return useMutation({
    mutationFn: async (id: number) => {
      const token = randomHex(32);
      await call(connections.update, { params: { id }, body: { token } });
      return token;
    },
  });
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Calls the API as other software does: with the token, not with the session. */
export function useApiCall(token: string) {
  return useMutation({
    mutationFn: (request: { readonly path: string; readonly body?: string | FormData }): Promise<ApiAnswer> =>
      send({
        method: request.body === undefined ? "GET" : "POST",
        url: request.path,
        headers: {
          authorization: `Bearer ${token}`,
          ...(typeof request.body === "string" && { "content-type": "application/json" }),
        },
        ...(request.body !== undefined && { body: request.body }),
      }),
  });
}

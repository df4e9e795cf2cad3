/** Downloads of files that the server makes: spreadsheets, which are no text. */
import type { AnyEndpoint } from "@prosa/contract/endpoint";
import { createClient, type Answer, type CallInput, type Transport } from "#web/lib/api/apiClient.ts";
import { ApiError } from "#web/lib/api/apiError.ts";
import { endSessionOf, renewTokenOf } from "./session.ts";
import { readStored } from "./storage.ts";

const client = createClient({
  send: fetchFile,
  token: () => readStored("token"),
  renew: renewTokenOf,
  onSignedOut: endSessionOf,
});

/** Saves the answer of a call under a name; rejects with an ApiError. */
export async function downloadFile<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  name: string,
): Promise<void> {
  const call = client.call as (endpoint: E, input: CallInput<E>) => Promise<unknown>;
  const link = document.createElement("a");
  link.href = URL.createObjectURL((await call(endpoint, input)) as Blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The file as a blob; a refusal as its body. */
async function fetchFile({ method, url, headers }: Transport): Promise<Answer> {
  const { accept: _, ...rest } = headers;
  const response = await fetch(url, {
    method,
    headers: { ...rest, "accept-language": document.documentElement.lang },
    credentials: "include",
  }).catch((cause: unknown) => {
    throw new ApiError("network", 0, { cause: String(cause) });
  });
  const { status } = response;
  return { status, body: response.ok ? await response.blob() : await response.json().catch(() => undefined) };
}

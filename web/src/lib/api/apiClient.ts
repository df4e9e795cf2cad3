/** One API call from the browser: typed by the contract, replayed once after a token refresh, rejected with an ApiError. */
import type { AnyEndpoint, BodyIn, ParamsOf, QueryIn, ResponseOf } from "@prosa/contract/endpoint";
import { ApiError, errorFromAnswer } from "./apiError.ts";
import { forgetAfter } from "./unanswered.ts";

/** A part is absent, optional or required as its schema is. */
type Part<K extends string, T> = [T] extends [undefined]
  ? unknown
  : undefined extends T
    ? { [P in K]?: T }
    : Record<never, never> extends T
      ? { [P in K]?: T }
      : { [P in K]: T };

export type CallInput<E> = Part<"params", ParamsOf<E>> &
  Part<"query", QueryIn<E>> &
  Part<"body", BodyIn<E>> & {
    readonly files?: readonly (File | Blob)[];
    /** Beside those of every call. */
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
    /** Share of the upload that was sent, 0 to 1. */
    readonly onProgress?: (done: number) => void;
  };

export type CallArguments<E> =
  Record<never, never> extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>];

export interface Transport {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string | FormData;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number) => void;
  readonly isSlow?: true;
}
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface ClientParts {
  readonly send: (request: Transport) => Promise<Answer>;
  readonly token: () => string | undefined;
  /** Returns a newer token of the session whose token was refused; undefined when that session is over. */
  readonly renew: (refused: string | undefined) => Promise<string | undefined>;
  /** A call with this token was answered with 401. */
  readonly onSignedOut: (refused: string | undefined) => void;
}

export interface Client {
  call<E extends AnyEndpoint>(endpoint: E, ...input: CallArguments<E>): Promise<ResponseOf<E>>;
}

export function createClient(parts: ClientParts): Client {
  return {
    async call<E extends AnyEndpoint>(endpoint: E, ...[input]: CallArguments<E>): Promise<ResponseOf<E>> {
      const loose = (input ?? {}) as LooseInput;
      let token = parts.token();
      const isPrivate = endpoint.access.who !== "public";

      let answer = await parts.send(toRequest(endpoint, loose, token));
      if (isExpired(answer)) {
        // one refresh and one replay; a second 403 is the answer.
        const fresh = await parts.renew(token);
        if (fresh) {
          token = fresh;
          answer = await parts.send(toRequest(endpoint, loose, fresh));
        }
      }
      if (answer.status === 401 && isPrivate) {
        parts.onSignedOut(token);
      }
      if (answer.status < 200 || answer.status >= 300) {
        throw errorFromAnswer(answer.status, answer.body);
      }
      forgetAfter(endpoint);
      return answer.body as ResponseOf<E>;
    },
  };
}

interface LooseInput {
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Record<string, unknown>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
  readonly files?: readonly (File | Blob)[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number) => void;
}

/** Only an expired token needs a refresh; a missing permission answers 403 too (behaviour 1). */
function isExpired({ status, body }: Answer): boolean {
  return status === 403 && errorFromAnswer(status, body).code === "ERR_SESSION_EXPIRED";
}

function toRequest(endpoint: AnyEndpoint, input: LooseInput, token: string | undefined): Transport {
  const headers: Record<string, string> = { accept: "application/json", ...input.headers };
  if (token) {
    headers.authorization = `Bearer ${token}`;
  }
  const field = endpoint.files?.field;
  const body = field && input.files?.length ? toForm(field, input.files, input.body) : toJson(input.body);
  if (typeof body === "string") {
    headers["content-type"] = "application/json";
  }
  return {
    method: endpoint.method,
    url: pathOf(endpoint.path, input.params) + queryOf(input.query),
    headers,
    ...(body !== undefined && { body }),
    ...(input.signal && { signal: input.signal }),
    ...(input.onProgress && { onProgress: input.onProgress }),
    ...(endpoint.isSlow && { isSlow: true }),
  };
}

/** Fills `/tickets/:ticketId`; throws when a value is missing, which is a mistake of the caller. */
export function pathOf(pattern: string, params: Record<string, unknown> = {}): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === null || value === "") {
      throw new ApiError("ERR_INTERNAL", 0, { missing: name, pattern });
    }
    return encodeURIComponent(asText(value));
  });
}

/** `?a=1&b=x`; nothing for what is undefined or null. */
export function queryOf(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) {
      search.set(name, asText(value));
    }
  }
  return search.size > 0 ? `?${search.toString()}` : "";
}

function toJson(body: unknown): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body);
}

function toForm(field: string, files: readonly (File | Blob)[], body: unknown): FormData {
  const form = new FormData();
  // Fields first: the server reads them before the files arrive.
  for (const [name, value] of Object.entries(body ?? {})) {
    if (value !== undefined && value !== null) {
      form.set(name, asText(value));
    }
  }
  for (const file of files) {
    form.append(field, file, file instanceof File ? file.name : "file");
  }
  return form;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "object" ? JSON.stringify(value) : String(value);
}

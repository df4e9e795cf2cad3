import * as contract from "@prosa/contract";
import {
  apiKeyRules,
  errorBody,
  errorStatus,
  idempotencyKey,
  integrationAnswer,
  integrationCallBody,
  webhookEvents,
} from "@prosa/contract";
import type { Access, AnyEndpoint } from "@prosa/contract";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { createSchemaBook } from "./schema-book.ts";
import type { Json, SchemaBook } from "./schema-book.ts";

const docsPolicy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'";

interface MountedEndpoints {
  readonly endpoints: readonly AnyEndpoint[];
  /** Those that may be sent again under an Idempotency-Key. */
  readonly answeredOnce: ReadonlySet<AnyEndpoint>;
}

export interface DocumentFacts {
  readonly version: string;
  /** Base URL without a trailing slash. */
  readonly url: string;
}

/** Serves the OpenAPI 3.1 document of the contract at /docs and as JSON at /docs/json. Built on the first request. */
export async function serveDocs(
  app: FastifyInstance,
  mounted: MountedEndpoints,
  facts: () => DocumentFacts,
): Promise<void> {
  let document: Json | undefined;
  // The UI plugin requires this one; the generator is our own, because it reads zod schemas.
  await app.register(swagger, {
    mode: "static",
    specification: { document: { openapi: "3.1.0", info: { title: "Prosa", version: facts().version }, paths: {} } },
  });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    staticCSP: docsPolicy,
    transformSpecificationClone: false,
    transformSpecification: () => (document ??= openApi(mounted, facts())),
    uiConfig: { docExpansion: "none", persistAuthorization: false },
  });
}

/** The contract as an OpenAPI 3.1 document. */
export function openApi({ endpoints, answeredOnce }: MountedEndpoints, { version, url }: DocumentFacts): Json {
  const book = createSchemaBook(contract);
  const error = book.ref(errorBody, "output", "Error");
  const paths: Record<string, Json> = {};
  const parameterNames = parameterNamesOf(endpoints);
  for (const endpoint of endpoints) {
    const nameOf = parameterNames(endpoint);
    const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => `{${nameOf(name)}}`);
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operation(
      { endpoint, isAnsweredOnce: answeredOnce.has(endpoint) },
      nameOf,
      book,
      error,
    );
  }
  const tags = [...new Set(endpoints.map(tagOf))].toSorted();
  return {
    openapi: "3.1.0",
    info: {
      title: "Prosa",
      version,
      description: "Customer service over WhatsApp, for teams.",
      license: { name: "AGPL-3.0-or-later", identifier: "AGPL-3.0-or-later" },
    },
    servers: [{ url }],
    tags: tags.map((name) => ({ name })),
    paths,
    webhooks: webhooksOf(book),
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: `A session's access token, an API key (${apiKeyRules.prefix}…) within its scopes, or for the messages API the token of a connection.`,
        },
      },
      schemas: Object.fromEntries(Object.entries(book.entries).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

/** An attempt may come three days after the event, and a replay a month after it, with the bytes of the first. */
const filesOfEvents = `Addresses of files (mediaUrl, profilePicUrl) work by themselves for 24 to 48 hours after the event. After that, as in a late attempt or a replay, GET them with an API key of the company that has the scope messages:read: Authorization: Bearer ${apiKeyRules.prefix}…`;

/** The events that webhook endpoints are sent, with the headers of Standard Webhooks. */
function webhooksOf(book: SchemaBook): Json {
  const headers = [
    ["webhook-id", "The same in each attempt and in a replay: handle an id once"],
    ["webhook-timestamp", "Seconds since 1970, of this attempt"],
    ["webhook-signature", "v1, and base64 of HMAC-SHA256 of id.timestamp.body by the secret after whsec_"],
  ].map(([name, description]) => ({ name, in: "header", required: true, description, schema: { type: "string" } }));
  const events = Object.fromEntries(
    Object.entries(webhookEvents).map(([type, { summary, data }]) => {
      const own = camel(["webhook", ...type.split(".")]);
      const schema = {
        type: "object",
        required: ["type", "timestamp", "data"],
        properties: {
          type: { const: type },
          timestamp: { type: "string", format: "date-time" },
          data: book.ref(data, "output", own.charAt(0).toUpperCase() + own.slice(1)),
        },
      };
      const post = {
        operationId: own,
        summary,
        description: filesOfEvents,
        tags: ["webhooks"],
        security: [],
        parameters: headers,
        requestBody: { required: true, content: { "application/json": { schema } } },
        responses: {
          "2XX": { description: "Received" },
          410: { description: "Gone: the endpoint is switched off" },
          default: { description: "Tried again for three days" },
        },
      };
      return [type, { post }];
    }),
  );
  return { ...events, "conversation.said": { post: integrationCallOf(book, headers) } };
}

/** What a queue integration of type n8n or webhook is sent while a conversation is its own, and what it may answer (O-09). */
function integrationCallOf(book: SchemaBook, headers: readonly Json[]): Json {
  return {
    operationId: "integrationCall",
    summary: "A customer has said something in a conversation that a queue integration (n8n, webhook) answers",
    tags: ["webhooks"],
    security: [],
    parameters: headers,
    requestBody: {
      required: true,
      content: { "application/json": { schema: book.ref(integrationCallBody, "output", "IntegrationCallBody") } },
    },
    responses: {
      200: {
        description:
          "Said to the customer. Without a body nothing is said, and the conversation goes on. An object with an `error` and none of these fields is a failure",
        content: { "application/json": { schema: book.ref(integrationAnswer, "input", "IntegrationAnswer") } },
      },
      default: { description: "Asked again under the same webhook-id; after three failures a person is called" },
    },
  };
}

/**
 * Names of path parameters in the document. Calls that differ only in parameter names share one path there: GET
 * /messages/:ticketId and DELETE /messages/:messageId are /messages/{id}.
 */
function parameterNamesOf(endpoints: readonly AnyEndpoint[]): (endpoint: AnyEndpoint) => (name: string) => string {
  const patternOf = ({ path }: AnyEndpoint) => path.replaceAll(/:\w+/g, ":");
  const spellings = Map.groupBy(endpoints, patternOf);
  return (endpoint) => {
    const isOne = new Set(spellings.get(patternOf(endpoint))?.map(({ path }) => path)).size === 1;
    const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
    return (name) => (isOne ? name : names.length === 1 ? "id" : `id${names.indexOf(name) + 1}`);
  };
}

function operation(
  { endpoint, isAnsweredOnce }: { readonly endpoint: AnyEndpoint; readonly isAnsweredOnce: boolean },
  nameOf: (name: string) => string,
  book: SchemaBook,
  error: Json,
): Json {
  const { access, summary, response } = endpoint;
  const operationId = idOf(endpoint);
  const own = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  const failure = { content: { "application/json": { schema: error } } };
  return {
    operationId,
    summary,
    tags: [tagOf(endpoint)],
    description: whoMay(access),
    security: access.who === "public" ? [] : [{ bearer: [] }],
    parameters: [
      ...parametersOf(endpoint.params, "path", own, book).map((each) => ({ ...each, name: nameOf(each.name) })),
      ...parametersOf(endpoint.query, "query", own, book),
      ...(isAnsweredOnce ? [keyParameter] : []),
    ],
    ...requestBodyOf(endpoint, own, book),
    responses: {
      200: {
        description: "Done",
        content: { "application/json": { schema: book.ref(response, "output", `${own}Response`) } },
      },
      "4XX": { description: `Refused: one of ${Object.keys(errorStatus).length} codes in \`error\``, ...failure },
      "5XX": { description: "Broken or not available; tried again later it may work", ...failure },
    },
  };
}

/** operationId by endpoint: `tickets.get` is `ticketsGet`. An endpoint outside the contract is named by its path. */
const names = new Map<unknown, string>(
  Object.entries(contract).flatMap(([noun, calls]) =>
    typeof calls === "object"
      ? Object.entries(calls).map(([verb, call]): [unknown, string] => [call, camel([noun, verb])])
      : [],
  ),
);

function idOf(endpoint: AnyEndpoint): string {
  return names.get(endpoint) ?? camel([endpoint.method.toLowerCase(), ...(endpoint.path.match(/\w+/g) ?? [])]);
}

function camel([first = "", ...more]: readonly string[]): string {
  return [first, ...more.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("");
}

function tagOf({ path }: AnyEndpoint): string {
  return path.split("/")[1] ?? "";
}

function whoMay({ who, rule, plan, whenOverdue }: Access): string {
  const conditions = [
    `Who: ${who}`,
    rule !== undefined && `holding ${rule}`,
    plan !== undefined && `with a plan that has ${plan}`,
    whenOverdue && "also when the company is overdue",
  ];
  return `${conditions.filter(Boolean).join(", ")}.`;
}

type Parameter = Json & { readonly name: string };

/** For an answer that is lost on the way (decision 0299). */
const keyParameter: Parameter = {
  name: idempotencyKey.header,
  in: "header",
  required: false,
  description:
    "Of your making, another one for each request, and the same one where a request is sent again: it is not run twice, and for a day it has the first one's answer; with other content it is refused (400)",
  schema: { type: "string", minLength: idempotencyKey.minLength, maxLength: idempotencyKey.maxLength },
};

function parametersOf(
  schema: z.ZodType | undefined,
  place: "path" | "query",
  own: string,
  book: SchemaBook,
): readonly Parameter[] {
  if (!schema) {
    return [];
  }
  const { properties = {}, required = [] } = book.inline(schema, "input", `${own}Parameters`) as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: property,
  }));
}

function requestBodyOf({ body, files }: AnyEndpoint, own: string, book: SchemaBook): Json {
  if (!body && !files) {
    return {};
  }
  const schema = body && book.ref(body, "input", `${own}Body`);
  const form = files && {
    type: "object",
    properties: { [files.field]: { type: "array", maxItems: files.max, items: { type: "string", format: "binary" } } },
    ...(files.required && { required: [files.field] }),
  };
  return {
    requestBody: {
      content: {
        ...(schema && { "application/json": { schema } }),
        ...(form && { "multipart/form-data": { schema: schema ? { allOf: [schema, form] } : form } }),
      },
    },
  };
}

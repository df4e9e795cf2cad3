import { errorBody, errorStatus } from "@prosa/contract";
import type { Access, AnyEndpoint } from "@prosa/contract";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

type Json = Record<string, unknown>;

const docsPolicy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'";

/** OpenAPI 3.1 made from the contract, readable at /docs and as JSON at /docs/json. Made when first asked for. */
export async function serveDocs(
  app: FastifyInstance,
  endpoints: readonly AnyEndpoint[],
  version: string,
): Promise<void> {
  let document: Json | undefined;
  // The page's plugin needs one of the generator's; the generator itself is ours, because it reads zod.
  await app.register(swagger, {
    mode: "static",
    specification: { document: { openapi: "3.1.0", info: { title: "Prosa", version }, paths: {} } },
  });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    staticCSP: docsPolicy,
    transformSpecificationClone: false,
    transformSpecification: () => (document ??= openApi(endpoints, version)),
    uiConfig: { docExpansion: "none", persistAuthorization: false },
  });
}

/** The contract as an OpenAPI 3.1 document. */
export function openApi(endpoints: readonly AnyEndpoint[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Prosa", version, description: "Customer service over WhatsApp, for teams." },
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas: { Error: schemaOf(errorBody, "output") },
    },
  };
}

function operation(endpoint: AnyEndpoint): Json {
  const { access, summary, path } = endpoint;
  const [, tag = ""] = path.split("/");
  return {
    summary,
    tags: [tag],
    description: whoMay(access),
    security: access.who === "public" ? [] : [{ bearer: [] }],
    parameters: [...parametersOf(endpoint.params, "path"), ...parametersOf(endpoint.query, "query")],
    ...requestBodyOf(endpoint),
    responses: {
      200: { description: "Done", content: { "application/json": { schema: schemaOf(endpoint.response, "output") } } },
      default: {
        description: `One of ${Object.keys(errorStatus).length} codes in \`error\``,
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

function whoMay({ who, rule, plan, whenOverdue }: Access): string {
  const wishes = [
    `Who: ${who}`,
    rule !== undefined && `holding ${rule}`,
    plan !== undefined && `with a plan that has ${plan}`,
    whenOverdue && "also when the company is overdue",
  ];
  return `${wishes.filter(Boolean).join(", ")}.`;
}

function parametersOf(schema: z.ZodType | undefined, place: "path" | "query"): Json[] {
  if (!schema) {
    return [];
  }
  const { properties = {}, required = [] } = schemaOf(schema, "input") as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: property,
  }));
}

function requestBodyOf({ body, files }: AnyEndpoint): Json {
  if (!body && !files) {
    return {};
  }
  const schema = body ? schemaOf(body, "input") : { type: "object" };
  const fileField = files && {
    [files.field]: { type: "array", maxItems: files.max, items: { type: "string", format: "binary" } },
  };
  return {
    requestBody: {
      content: {
        ...(body && { "application/json": { schema } }),
        ...(files && {
          "multipart/form-data": { schema: { allOf: [schema, { type: "object", properties: fileField }] } },
        }),
      },
    },
  };
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

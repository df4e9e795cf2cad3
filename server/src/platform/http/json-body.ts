import type { FastifyInstance } from "fastify";
import { refuseUnstorableText } from "./parse.ts";

/** Written in a JSON text these may stand for U+0000 or for half a surrogate pair; the exact look follows only then. */
const suspicious = /\\u(0000|d[89a-f])/i;

/** JSON bodies: an empty one is no body, `__proto__` and text that cannot be stored are refused. */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");

  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.trim() === "") {
      done(null, undefined);
      return;
    }
    void parse(request, body, (error, value: unknown) => {
      if (error) {
        done(error);
        return;
      }
      try {
        if (suspicious.test(body) || !body.isWellFormed() || body.includes("\0")) {
          refuseUnstorableText(value);
        }
        done(null, value);
      } catch (refusal) {
        done(refusal as Error);
      }
    });
  });
}

import { isUtf8 } from "node:buffer";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../ctx.ts";
import { refuseUnstorableText } from "./parse-input.ts";

/** Written in a JSON text these may stand for U+0000 or for half a surrogate pair; the exact look follows only then. */
const suspicious = /\\u(0000|d[89a-f])/i;

/** JSON bodies: an empty one is no body; `__proto__`, what is no UTF-8 and text that cannot be stored are refused. */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");

  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, bytes, done) => {
    if (!isUtf8(bytes)) {
      // Read all the same, letters of another encoding would be stored as question marks.
      done(new AppError("ERR_VALIDATION", { message: "Send UTF-8" }));
      return;
    }
    const body = bytes.toString("utf8");
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

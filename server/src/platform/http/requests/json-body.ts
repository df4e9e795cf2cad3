import { isUtf8 } from "node:buffer";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../ctx.ts";
import { refuseUnstorableText } from "./parse-input.ts";

/** Escapes that may be U+0000 or a surrogate; only then the parsed value is checked. */
const suspicious = /\\u(0000|d[89a-f])/i;

/** Parses JSON bodies: an empty one is no body; `__proto__`, invalid UTF-8 and text that cannot be stored are refused. */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");

  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, bytes, done) => {
    if (!isUtf8(bytes)) {
      // Decoded anyway, characters of another encoding would become replacement characters.
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

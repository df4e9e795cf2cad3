import { idempotencyKey } from "@prosa/contract";
import type { Vault } from "../../auth/index.ts";
import type { RawQuery } from "../../db/index.ts";
import { JsonText } from "../responses/index.ts";
import type { Serialize } from "../responses/index.ts";
import { validationError } from "../requests/index.ts";
import { answerContext, claimKey, findAnswer, storeAnswer } from "./answered-requests.ts";
import type { KeyedRequest } from "./keyed-request.ts";

interface AnswerTools {
  readonly vault: Vault;
  /** The serializer of the endpoint's response. */
  readonly serialize: Serialize;
}

/**
 * Runs `work` in its transaction `raw` and keeps its answer with what it has written, or gives the answer that is kept of the same
 * request (decision 0299). A request that comes meanwhile waits for the first one's commit. An error rolls everything back, and the
 * key is free again. ERR_VALIDATION where the key was used for another route, or for other content.
 */
export async function answerOnce(
  raw: RawQuery,
  request: KeyedRequest,
  { vault, serialize }: AnswerTools,
  work: () => Promise<unknown>,
): Promise<JsonText> {
  const context = answerContext(request);
  if (await claimKey(raw, request)) {
    const text = serialize(await work());
    // Sealed with its answer, because a digest of a name or a number can be guessed.
    await storeAnswer(raw, request, vault.seal(Buffer.concat([request.digest, Buffer.from(text)]), context));
    return new JsonText(text);
  }
  const known = await findAnswer(raw, request);
  const opened = known?.route === request.route ? vault.open(known.answer, context) : undefined;
  const { length } = request.digest;
  if (!opened?.subarray(0, length).equals(request.digest)) {
    throw validationError({ [idempotencyKey.header]: "Used for another request" });
  }
  return new JsonText(opened.subarray(length));
}

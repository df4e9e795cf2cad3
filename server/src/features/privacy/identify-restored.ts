import { findDataSubject, findDataSubjects } from "#server/features/contacts/index.ts";
import type { Ctx } from "#server/platform/ctx.ts";
import type { JobDeps } from "#server/platform/jobs/index.ts";
import { wordsOf } from "#server/platform/personal-data.ts";
import type { Services } from "#server/platform/services.ts";
import { erasureMarks, markedWords } from "./erasure-mark.ts";
import { findOpenErasure, findRestored, finishErasure, insertErasure } from "./privacy.queries.ts";
import type { RestoredErasure } from "./privacy.queries.ts";
import { eraseJob, startErasure } from "./privacy.service.ts";

/** Contacts that one transaction reads: a hash of each of their words takes some microseconds. */
const page = 1000;

type Keys = Pick<Services, "vault" | "signer">;

/**
 * Finds whom the erasures are of that a restore asked for again (decision 0284): by their marks among the contacts who were there
 * when it was asked for. Ids say nothing: they were given anew. One pass over the company's contacts serves all of its erasures. A
 * person who lies in several contacts is erased in each; where there is nobody the erasure ends, and its marks stay.
 */
export async function identifyRestored({ inCompany, signal }: JobDeps, keys: Keys): Promise<void> {
  const erasures = await inCompany((ctx) => findRestored(ctx));
  const people = new Map(erasures.map(({ id }) => [id, [] as number[]]));
  const byMark = Map.groupBy(
    erasures.flatMap((erasure) => erasure.marks.map((mark) => ({ mark, erasure }))),
    ({ mark }) => mark,
  );
  const withoutMarks = erasures.filter(({ marks }) => marks.length === 0);
  let last = 0;
  for (let isWhole = false; !isWhole && erasures.length > 0;) {
    signal.throwIfAborted();
    await inCompany(async (ctx) => {
      const found = await findDataSubjects(ctx, last, page);
      for (const { subject, rowKey, createdAt } of found) {
        const matching = new Set(
          markedWords(subject, rowKey)
            .flatMap((word) => erasureMarks(keys.signer, ctx.companyId, word))
            .flatMap((mark) => byMark.get(mark) ?? [])
            .map(({ erasure }) => erasure),
        );
        if (wordsOf({ ...subject, emails: [] }).length === 0) {
          // Of a group, or of one without any number, releases before marks of rows kept nothing but the id.
          withoutMarks.filter((one) => one.contact_id === subject.contactId).forEach((one) => matching.add(one));
        }
        // Who came later has written again since, and is a new person to us (decision 0210).
        [...matching]
          .filter((one) => createdAt < one.requested_at)
          .forEach(({ id }) => people.get(id)?.push(subject.contactId));
      }
      isWhole = found.length < page;
      last = found.at(-1)?.subject.contactId ?? last;
    });
  }
  for (const { id } of erasures) {
    signal.throwIfAborted();
    await inCompany(async (ctx) => {
      // Another run may have come before.
      const [erasure] = await findRestored(ctx, id);
      if (erasure) {
        await startFor(ctx, keys, erasure, people.get(id) ?? []);
      }
    });
  }
}

async function startFor(
  ctx: Ctx,
  { vault }: Keys,
  erasure: RestoredErasure,
  contactIds: readonly number[],
): Promise<void> {
  let isStarted = false;
  for (const contactId of contactIds) {
    const found = await findDataSubject(ctx, contactId);
    // Gone meanwhile, or somebody asked for the same.
    if (!found || (await findOpenErasure(ctx, contactId))) {
      continue;
    }
    let { id } = erasure;
    if (isStarted) {
      const { marks, requested_at: requestedAt } = erasure;
      id = await insertErasure(ctx, { contactId, userId: null, marks, requestedAt });
      ctx.enqueue(eraseJob(ctx.companyId, id));
    }
    await startErasure(ctx, vault, id, found.subject);
    isStarted = true;
  }
  if (!isStarted) {
    await finishErasure(ctx, erasure.id, erasure.contact_id);
  }
}

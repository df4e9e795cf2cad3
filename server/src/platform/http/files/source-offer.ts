import type { FastifyInstance } from "fastify";

const notice = `Prosa is free software under the GNU Affero General Public License, version 3 or later.
Whoever uses it over a network may have the source of what runs here: ask the operator of this installation.
`;

/** GET /source: AGPL section 13 requires an offer of the running source to network users. */
export function serveSourceOffer(app: FastifyInstance, sourceUrl: string | undefined): void {
  app.get("/source", async (_request, reply) =>
    sourceUrl === undefined ? reply.type("text/plain; charset=utf-8").send(notice) : reply.redirect(sourceUrl),
  );
}

import { Readable } from "node:stream";
import { audit } from "@prosa/contract";
import { serve } from "#server/platform/http/index.ts";
import type { Api } from "#server/platform/http/index.ts";
import { exportAudit, listAudit, verifyEveryAudit, verifyOwnAudit } from "./audit.service.ts";

/** Each reads the whole log of a company. */
const wholeLogRate = { max: 10, perSeconds: 300 };

export function auditRoutes(api: Api): void {
  const limitWhole = (companyId: number | undefined) =>
    api.services.limiter.limit(`audit-whole:${companyId ?? 0}`, wholeLogRate);
  serve(api, audit.list, (ctx, { query }) => listAudit(ctx, query));
  serve(
    api,
    audit.export,
    async (edge, { query, reply }) => {
      limitWhole(edge.actor?.companyId);
      return reply
        .type("text/csv; charset=utf-8")
        .header("content-disposition", 'attachment; filename="auditoria.csv"')
        .send(Readable.from(exportAudit(edge, query)));
    },
    { transaction: "none" },
  );
  serve(
    api,
    audit.verify,
    (edge) => {
      limitWhole(edge.actor?.companyId);
      return verifyOwnAudit(api.services, edge);
    },
    { transaction: "none" },
  );
  serve(
    api,
    audit.verifyAll,
    async (edge, { request }) => ({ faults: await verifyEveryAudit(api.services, edge.log, request.signal) }),
    { transaction: "none" },
  );
}

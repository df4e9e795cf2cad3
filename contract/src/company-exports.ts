import { z } from "zod";
import { done, idParams, instant } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** An archive of everything of a company: its rows as JSON lines, and its files. */
export const companyExport = z.object({
  id: z.number().int(),
  /** Who asked for it; null after that user was deleted. */
  userName: z.string().nullable(),
  state: z.enum(["waiting", "running", "finished", "failed", "cancelled"]),
  /** `noSpace`: the disk has no room for it. `erased`: data of a contact was erased meanwhile, which would have been in it. */
  failure: z.enum(["noSpace", "erased", "failed"]).nullable(),
  /** Rows and files that were written, of `total`; that is 0 until they are counted. */
  done: z.number(),
  total: z.number(),
  /** Bytes. */
  size: z.number().nullable(),
  requestedAt: instant,
  finishedAt: instant.nullable(),
  /** From then on the archive is gone. */
  expiresAt: instant.nullable(),
});
export type CompanyExport = z.output<typeof companyExport>;

const admins = { access: { who: "admin" } } as const;

export const companyExports = {
  list: endpoint({
    method: "GET",
    path: "/company-exports",
    summary: "The company's archives of everything that are still kept, the latest first",
    ...admins,
    response: z.object({ records: z.array(companyExport) }),
  }),
  start: endpoint({
    method: "POST",
    path: "/company-exports",
    summary: "Have everything of the company written into an archive; one that is being written is returned instead",
    ...admins,
    response: companyExport,
  }),
  link: endpoint({
    method: "POST",
    path: "/company-exports/:id/link",
    summary:
      "An address from which the archive is downloaded, for a day or two, and no longer than the archive is kept",
    ...admins,
    params: idParams,
    response: z.object({ url: z.string() }),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/company-exports/:id",
    summary: "Cancel an archive that is being written, or delete one",
    ...admins,
    params: idParams,
    response: done,
  }),
} as const;

import { z } from "zod";
import { changesOf, done, id, idParams, instant, paged, pageNumber, searchParam } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** The company's own texts, which its AI prompts may read (O-08). */
export const knowledgeRules = {
  /** Sources of a company. */
  maxSources: 200,
  /** Passages of a company, about 1,500 pages: a search ranks all that share a word with the question. */
  maxPassages: 5_000,
  /** Characters of a page of text. */
  maxText: 200_000,
  /** Bytes of an uploaded file. */
  maxFileBytes: 20 * 1024 * 1024,
  /** Pages of a pdf. */
  maxPages: 1_000,
  /** Characters of the text of a file. */
  maxFileText: 1_000_000,
  /** A passage is cut at the end of a paragraph or sentence between these lengths, in characters. */
  passage: { min: 600, max: 1_200 },
  /** Passages that a question gets at most. */
  maxFound: 6,
} as const;

/** A page of text, an uploaded file, or the company's general quick messages as they are now. */
export const knowledgeKinds = ["text", "file", "quickMessages"] as const;

/** `empty`: a file is awaited. `reading`: its text is being taken out. */
export const knowledgeStates = ["empty", "reading", "ready", "failed"] as const;

/**
 * Why a file cannot be read: it needs a password, is damaged or too hard to read, has no text (a scan), is longer than
 * `maxPages` or `maxFileText`; or the company has no room for its passages.
 */
export const knowledgeFailures = ["encrypted", "unreadable", "noText", "tooLong", "full"] as const;

/** Media types of files whose text can be read. Plain text includes Markdown. */
export const knowledgeFileTypes = {
  "application/pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "text/plain": "text",
} as const;

export const knowledgeSource = z.object({
  id: z.number().int(),
  name: z.string(),
  kind: z.enum(knowledgeKinds),
  state: z.enum(knowledgeStates),
  failure: z.enum(knowledgeFailures).nullable(),
  /** Name of the uploaded file. */
  fileName: z.string().nullable(),
  /** Of the file, in bytes. */
  fileSize: z.number().int().nullable(),
  /** Of a pdf. */
  pages: z.number().int().nullable(),
  passages: z.number().int(),
  /** Of its passages, those that are found by their meaning too; the others by their words only. */
  embedded: z.number().int(),
  /** Of its passages, those that the model's service refused to embed: they are found by their words, and not asked for again. */
  refused: z.number().int(),
  /** All prompts read it, those of later too; else those of `prompts`. */
  isForAll: z.boolean(),
  prompts: z.array(z.object({ id: z.number().int(), name: z.string() })),
  updatedAt: instant,
});
export type KnowledgeSource = z.output<typeof knowledgeSource>;

/** With the text of a page; a list leaves it out. */
export const knowledgeSourceWithText = knowledgeSource.extend({ text: z.string() });
export type KnowledgeSourceWithText = z.output<typeof knowledgeSourceWithText>;

const fields = {
  name: z.string().trim().min(1, "Required").max(100, "Too Long!"),
  /** Of a page of text; lines that begin with `#` are headings. */
  text: z.string().max(knowledgeRules.maxText, "Too Long!").default(""),
  isForAll: z.boolean().default(true),
  promptIds: z.array(id).max(100).default([]),
};
export const knowledgeBody = z.object({ ...fields, kind: z.enum(knowledgeKinds).default("text") });
export type KnowledgeBody = z.output<typeof knowledgeBody>;

/** A passage that answers a question, and where it stands. */
export const foundPassage = z.object({
  /** 0: a quick message. */
  sourceId: z.number().int(),
  source: z.string(),
  heading: z.string(),
  page: z.number().int().nullable(),
  text: z.string(),
});
export type FoundPassage = z.output<typeof foundPassage>;

/** A passage that was found, and how: it shares words with the question, or means what it means. */
export const searchedPassage = foundPassage.extend({ foundBy: z.array(z.enum(["words", "meaning"])) });
export type SearchedPassage = z.output<typeof searchedPassage>;

/** Where an answer comes from: kept with a message as `data.sources`, for the agents; the customer does not see it. */
export const citedSource = foundPassage.pick({ source: true, heading: true, page: true });
export type CitedSource = z.output<typeof citedSource>;

const access = { who: "admin", plan: "useOpenAi" } as const;
const one = { params: idParams, access, response: knowledgeSourceWithText } as const;

export const knowledge = {
  list: endpoint({
    method: "GET",
    path: "/knowledge",
    summary: "Sources of knowledge of the AI prompts, by name, a page at a time",
    access,
    query: z.object({ searchParam, pageNumber }),
    response: paged("records", knowledgeSource),
  }),
  get: endpoint({ method: "GET", path: "/knowledge/:id", summary: "One source of knowledge with its text", ...one }),
  create: endpoint({
    method: "POST",
    path: "/knowledge",
    summary: "Add a page of text, the quick messages, or a source whose file is uploaded next",
    access,
    body: knowledgeBody,
    response: knowledgeSourceWithText,
  }),
  update: endpoint({
    method: "PUT",
    path: "/knowledge/:id",
    summary: "Change a source of knowledge",
    ...one,
    body: changesOf(z.object(fields)),
  }),
  upload: endpoint({
    method: "POST",
    path: "/knowledge/:id/file",
    summary: "Upload the file of a source, or another in its place: pdf, docx or plain text",
    ...one,
    body: z.object({}),
    files: { field: "file", max: 1, required: true },
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/knowledge/:id",
    summary: "Delete a source of knowledge",
    params: idParams,
    access,
    response: done,
  }),
  search: endpoint({
    method: "POST",
    path: "/knowledge/search",
    summary: "The passages that a prompt would be given for a question",
    access,
    body: z.object({ question: z.string().trim().min(1, "Required").max(2_000, "Too Long!"), promptId: id.optional() }),
    response: z.object({ passages: z.array(searchedPassage) }),
  }),
} as const;

import type { CitedSource } from "@prosa/contract/knowledge";

/** The sources that a message's data names; none of anything else. */
export function citedSourcesOf(data: Readonly<Record<string, unknown>> | null): readonly CitedSource[] {
  const found = data?.sources;
  return Array.isArray(found) ? found.filter(isCited) : [];
}

function isCited(value: unknown): value is CitedSource {
  const { source, heading, page } = (value ?? {}) as Partial<Record<keyof CitedSource, unknown>>;
  return typeof source === "string" && typeof heading === "string" && (page === null || typeof page === "number");
}

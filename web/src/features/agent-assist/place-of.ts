import type { CitedSource } from "@prosa/contract/knowledge";

/** "Manual › Garantia, p. 3". */
export function placeOf(
  { source, heading, page }: CitedSource,
  t: (key: "page", values: { readonly page: number }) => string,
): string {
  const place = [source, heading].filter((part) => part !== "").join(" › ");
  return page === null ? place : `${place}, ${t("page", { page })}`;
}

import { useQuery } from "@tanstack/react-query";
import { fileListChoices } from "#web/features/files/index.ts";

/** What the chosen list sends after a message: its text, then each file by its name. */
export function useFileListPreview(
  chosen: string,
): { readonly text: string; readonly files: readonly string[] } | undefined {
  const lists = useQuery({ ...fileListChoices, enabled: chosen !== "" }).data;
  const list = lists?.find(({ id }) => String(id) === chosen);
  return list && { text: list.message, files: list.options.map(({ name, mediaName }) => mediaName ?? name) };
}

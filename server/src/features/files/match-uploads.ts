import { AppError } from "#server/platform/ctx.ts";
import type { FileOptionRow } from "./files.queries.ts";

/** What a client says of the files that it sends, each in the order of the files. */
export interface UploadFields {
  readonly id: readonly string[];
  readonly name: readonly string[];
}

type Option = Pick<FileOptionRow, "id" | "name" | "media_path">;

/**
 * The option that each of the files is for: that of the id at its place, else the one with the name at its place, else the
 * next one without a file. An option takes one of them. Throws ERR_VALIDATION for a file that is left over.
 */
export function matchUploads(options: readonly Option[], count: number, fields: UploadFields): number[] {
  const free = new Map(options.map((option) => [option.id, option]));
  const chosen = Array.from({ length: count }, (): number | undefined => undefined);
  const take = (index: number, option: Option | undefined) => {
    if (chosen[index] === undefined && option && free.delete(option.id)) {
      chosen[index] = option.id;
    }
  };
  const files = [...chosen.keys()];
  // in three passes, so that no file is given an option that a later one names
  files.forEach((index) => take(index, free.get(Number(fields.id[index]))));
  files.forEach((index) =>
    take(
      index,
      [...free.values()].find(({ name }) => isNamed(name, fields.name[index])),
    ),
  );
  files.forEach((index) =>
    take(
      index,
      [...free.values()].find(({ media_path: path }) => path === null),
    ),
  );
  return chosen.map((id) => {
    if (id === undefined) {
      throw new AppError("ERR_VALIDATION", { fields: { files: "No option is left for a file" } });
    }
    return id;
  });
}

function isNamed(name: string, wanted: string | undefined): boolean {
  return name !== "" && name === wanted?.trim();
}

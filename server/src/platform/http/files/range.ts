import type { ByteRange } from "../../storage/index.ts";

/**
 * Parses a Range header for a file of `size` bytes. "whole" without a header or for one that may be ignored (several
 * ranges, another unit); "unsatisfiable" is 416.
 */
export function readRange(header: string | undefined, size: number): ByteRange | "whole" | "unsatisfiable" {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  const [, first = "", last = ""] = match ?? [];
  if (!match || (first === "" && last === "")) {
    return "whole";
  }
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return start >= size || start > end ? "unsatisfiable" : { start, end };
}

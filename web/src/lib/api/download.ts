/** Downloads of texts as files. */
import { byteOrderMark } from "@prosa/contract/csv";

/** Downloads a CSV with a byte order mark, which spreadsheets need for UTF-8. */
export function downloadCsv(name: string, text: string): void {
  // fetch strips the byte order mark from a text
  const blob = new Blob([byteOrderMark, text], { type: "text/csv;charset=utf-8" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** How does a text become a file on the person's disk? */
import { byteOrderMark } from "@prosa/contract/csv";

/** Saves CSV under a name, as spreadsheets like it. */
export function downloadCsv(name: string, text: string): void {
  // fetch takes the mark off a text that had one
  const blob = new Blob([byteOrderMark, text], { type: "text/csv;charset=utf-8" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

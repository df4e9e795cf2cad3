/** The files of a drop; none for text. */
export function filesFromTransfer(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])];
}

/**
 * The files of a paste. Cells of a spreadsheet come as text, as a table and as a picture of it: that is text. A picture that was
 * copied from a page has no text beside it, and files of the file manager have no markup.
 */
export function filesFromPaste(data: DataTransfer | null): File[] {
  const files = filesFromTransfer(data);
  const has = (type: string) => data?.getData(type).trim() !== "";
  const isPictureOfText = has("text/plain") && has("text/html") && files.every(({ type }) => type.startsWith("image/"));
  return isPictureOfText ? [] : files;
}

/** The files of a paste or a drop; none for text. */
export function filesFromTransfer(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])];
}

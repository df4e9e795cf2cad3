/** The outbox's code for a file of which `isReadable` says no; the server knows no such error. */
export const unreadableFile = "ERR_FILE_UNREADABLE";

/**
 * Can the file's bytes be read? Not those of a folder, nor of a file that was changed, moved or deleted after it was chosen. An upload
 * of it would fail like a lost network, at every attempt.
 */
export function isReadable(file: Blob): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}

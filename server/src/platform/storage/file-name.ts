/** Limit of file systems. The name is also part of the media URL, which has a limit too. */
const maxBytes = 255;

/** Shortens a file name to 255 bytes and keeps its extension. */
export function shortFileName(name: string): string {
  const ending = /\.[^.]{1,12}$/u.exec(name)?.[0] ?? "";
  const letters = [...name.slice(0, name.length - ending.length)];
  const sizes = letters.map((letter) => Buffer.byteLength(letter));
  let left = maxBytes - Buffer.byteLength(ending);
  const fits = sizes.findIndex((size) => (left -= size) < 0);
  return fits < 0 ? name : `${letters.slice(0, fits).join("")}${ending}`;
}

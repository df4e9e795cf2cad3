/** No disk takes a longer name. It also travels in the file's address, which has a limit of its own. */
const mostBytes = 255;

/** The name as it is, or its beginning and its ending: `report… .pdf` still opens as what it is. */
export function shortFileName(name: string): string {
  const ending = /\.[^.]{1,12}$/u.exec(name)?.[0] ?? "";
  const letters = [...name.slice(0, name.length - ending.length)];
  const sizes = letters.map((letter) => Buffer.byteLength(letter));
  let left = mostBytes - Buffer.byteLength(ending);
  const fits = sizes.findIndex((size) => (left -= size) < 0);
  return fits < 0 ? name : `${letters.slice(0, fits).join("")}${ending}`;
}

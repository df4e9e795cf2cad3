import { LaunchError } from "../launcher/error.mjs";

/** One noun in the spellings that its files need. */
export interface Names {
  /** Folder, URL and file names: `call-notes`. */
  readonly folder: string;
  /** Table: `call_notes`. */
  readonly table: string;
  /** Values: `callNotes`, `callNote`. */
  readonly many: string;
  readonly one: string;
  /** Types: `CallNotes`, `CallNote`. */
  readonly Many: string;
  readonly One: string;
}

/** The spellings of a noun given in the plural and in kebab-case; the singular where it is not the plural less its s. */
export function namesOf(folder: string, singular = folder.replace(/s$/, "")): Names {
  for (const word of [folder, singular]) {
    if (!/^[a-z]+(-[a-z]+)*$/.test(word)) {
      throw new LaunchError(`"${word}" is not a noun in kebab-case, such as "call-notes".`);
    }
  }
  const many = camelCase(folder);
  const one = camelCase(singular);
  return { folder, table: folder.replaceAll("-", "_"), many, one, Many: capitalized(many), One: capitalized(one) };
}

function camelCase(kebab: string): string {
  return kebab.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

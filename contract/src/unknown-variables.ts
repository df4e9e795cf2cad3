/** What an editor of texts warns of (behaviour 5); apart from the resolver, which is part of the browser's first load. */
import { foldVariable, variablePattern, variableSpellings, variableToken } from "./variables.ts";

/** A token in double braces that is no variable, as written, and the token that was probably meant. */
export interface UnknownVariable {
  readonly token: string;
  readonly nearest: string | undefined;
}

/** The unknown variables of a text, each once. They would go out as written. */
export function unknownVariables(text: string): UnknownVariable[] {
  const keys = new Map([...text.matchAll(variablePattern)].map(([token, key = ""]) => [token, foldVariable(key)]));
  return [...keys]
    .filter(([, key]) => !variableSpellings.has(key))
    .map(([token, key]) => ({ token, nearest: nearestToken(key) }));
}

function nearestToken(key: string): string | undefined {
  const name = nearestSpelling(key, variableSpellings);
  return name && variableToken(name);
}

/** What the spelling nearest to a key stands for. Undefined if none is obvious: none is near, or two are equally near. */
export function nearestSpelling<T>(key: string, spellings: ReadonlyMap<string, T>): T | undefined {
  const ranked = [...spellings]
    .filter(([spelling]) => Math.abs(spelling.length - key.length) <= typosAllowed(spelling))
    .map(([spelling, name]) => ({ spelling, name, distance: editDistance(key, spelling) }))
    .filter(({ spelling, distance }) => distance <= typosAllowed(spelling))
    .toSorted((a, b) => a.distance - b.distance);
  const [first] = ranked;
  const isTied = ranked.some(({ name, distance }) => name !== first?.name && distance === first?.distance);
  return first && !isTied ? first.name : longerSpelling(key, spellings);
}

/** Any word of three letters is near another one. */
function typosAllowed({ length }: string): number {
  return length < 4 ? 0 : length === 4 ? 1 : 2;
}

/** `{{nomeCliente}}` is meant as `{{name}}`: the longest spelling that it begins with. */
function longerSpelling<T>(key: string, spellings: ReadonlyMap<string, T>): T | undefined {
  const [found] = [...spellings]
    .filter(([spelling]) => spelling.length >= 4 && key.startsWith(spelling))
    .toSorted(([a], [b]) => b.length - a.length);
  return found?.[1];
}

/** Letters to add, drop, replace or swap with their neighbour (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(replaced, swapped, rows[i - 1]![j]! + 1, row[j - 1]! + 1));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

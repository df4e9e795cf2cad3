import type { Contact } from "@prosa/contract";

type ExtraInfo = Contact["extraInfo"][number];

/**
 * Pure: the extra information to save where several people edit one contact at once. Who saves `wanted` has read `known`: of that,
 * what is no longer wanted goes, and what others deleted since stays deleted. What others added stays, after the wanted.
 */
export function mergedExtraInfo(
  wanted: readonly ExtraInfo[],
  { known, newest }: { readonly known: readonly ExtraInfo[]; readonly newest: readonly ExtraInfo[] },
): ExtraInfo[] {
  const [isWanted, isKnown, isThere] = [keysOf(wanted), keysOf(known), keysOf(newest)];
  return [
    ...wanted.filter((pair) => !isKnown.has(keyOf(pair)) || isThere.has(keyOf(pair))),
    ...newest.filter((pair) => !isKnown.has(keyOf(pair)) && !isWanted.has(keyOf(pair))),
  ];
}

function keysOf(pairs: readonly ExtraInfo[]): ReadonlySet<string> {
  return new Set(pairs.map(keyOf));
}

function keyOf({ name, value }: ExtraInfo): string {
  return JSON.stringify([name.trim(), value.trim()]);
}

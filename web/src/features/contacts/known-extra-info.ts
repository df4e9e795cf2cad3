import type { Contact } from "@prosa/contract/contacts";

type ExtraInfo = Contact["extraInfo"];

/**
 * Pure: what a form that saves `wanted` tells the server to know of the extra information (`knownExtraInfo`). A piece that it took off
 * is known; one that it leaves as it was when it opened too. One that it added, or took off and put back, counts as its own, also where
 * a save before, whose answer was lost or which was refused, has `tried` otherwise.
 */
export function knownExtraInfo(
  wanted: ExtraInfo,
  { opened, tried }: { readonly opened: ExtraInfo; readonly tried: readonly ExtraInfo[] },
): ExtraInfo {
  const keyOf = ({ name, value }: ExtraInfo[number]) => JSON.stringify([name.trim(), value.trim()]);
  const keysOf = (pairs: ExtraInfo) => new Set(pairs.map(keyOf));
  const isWanted = keysOf(wanted);
  const before = [opened, ...tried].map(keysOf);
  const seen = new Map([...opened, ...tried.flat()].map((pair) => [keyOf(pair), pair]));
  return [...seen].flatMap(([key, pair]) =>
    !isWanted.has(key) || before.every((keys) => keys.has(key)) ? [pair] : [],
  );
}

/** Of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): how little the first place of one list outweighs being in both. */
const constant = 60;

/** Joins ranked lists of keys to one, best first: what stands high in several lists wins, whatever their scores mean. Pure. */
export function fuseRanks<Key>(lists: readonly (readonly Key[])[]): Key[] {
  const scores = new Map<Key, number>();
  for (const list of lists) {
    for (const [index, key] of list.entries()) {
      scores.set(key, (scores.get(key) ?? 0) + 1 / (constant + index + 1));
    }
  }
  return [...scores.keys()].toSorted((one, other) => scores.get(other)! - scores.get(one)!);
}

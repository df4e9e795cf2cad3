/**
 * A label that has at most `max` values over the life of the process: each one is a time series that Prometheus keeps. The first ones keep
 * their names, all further ones are `other`.
 */
export function createBoundedLabel(max: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (!known.has(value) && known.size >= max) {
      return "other";
    }
    known.add(value);
    return value;
  };
}

/** How many names are remembered: an event is told again at most as long as a fetch takes. */
const REMEMBERED = 100;

/**
 * Makes a question that is true the first time that it is asked about a name. An event is dispatched once more after each fetch that it
 * crossed (`fetchRaces`): the cache is the same afterwards, but a second toast or sound would be news of what is known.
 */
export function firstTimes(): (name: string) => boolean {
  const asked = new Set<string>();
  return (name) => {
    if (asked.has(name)) {
      return false;
    }
    asked.add(name);
    [...asked].slice(0, -REMEMBERED).forEach((oldest) => asked.delete(oldest));
    return true;
  };
}

/** Does a path fit a route's pattern? Pure. */

export type Params = Readonly<Record<string, string | undefined>>;

/** Patterns are `/tickets`, `/chats/:uuid`, `/tickets/:uuid?` and `*`; the parameters if the path fits, else undefined. */
export function matchPath(pattern: string, path: string): Params | undefined {
  if (pattern === "*") {
    return {};
  }
  const expected = segments(pattern);
  const given = segments(path);
  if (given.length > expected.length) {
    return undefined;
  }
  const params: Record<string, string | undefined> = {};
  for (const [index, each] of expected.entries()) {
    const value = given[index];
    if (!each.startsWith(":")) {
      if (each !== value?.toLowerCase()) {
        return undefined;
      }
    } else if (value !== undefined || each.endsWith("?")) {
      params[each.replace(/^:|\?$/g, "")] = value && decoded(value);
    } else {
      return undefined;
    }
  }
  return params;
}

/** Is `path` the place of this link or below it? */
export function isAtOrBelow(link: string, path: string): boolean {
  return segments(link).every((each, index) => each === segments(path)[index]);
}

function segments(path: string): string[] {
  return path.split("/").filter(Boolean);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // a lone % that somebody typed
    return value;
  }
}

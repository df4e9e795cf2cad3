/** The order matters: Edge and Opera call themselves Chrome as well, and Chrome calls itself Safari. */
const browsers = [
  [/Edg(e|A|iOS)?\//u, "Edge"],
  [/OPR\//u, "Opera"],
  [/SamsungBrowser\//u, "Samsung Internet"],
  [/(Firefox|FxiOS)\//u, "Firefox"],
  [/(Chrome|CriOS)\//u, "Chrome"],
  [/Safari\//u, "Safari"],
] as const;
const systems = [
  [/Windows/u, "Windows"],
  [/Android/u, "Android"],
  [/iPhone/u, "iPhone"],
  [/iPad/u, "iPad"],
  [/Mac OS X/u, "macOS"],
  [/Linux/u, "Linux"],
] as const;

/** "Chrome · Windows" of a user agent; undefined where it names neither. */
export function deviceName(userAgent: string | null): string | undefined {
  const named = [browsers, systems].flatMap((known) => {
    const found = known.find(([pattern]) => pattern.test(userAgent ?? ""));
    return found ? [found[1]] : [];
  });
  return named.length === 0 ? undefined : named.join(" · ");
}

/** Addresses of YouTube. Hosts that the page embeds must be in the server's content security policy (security-headers). */
const code = /^[A-Za-z0-9_-]{11}$/u;
const hosts = new Set([
  "youtube.com",
  "www.youtube.com",
  "m.youtube.com",
  "youtube-nocookie.com",
  "www.youtube-nocookie.com",
]);

export function isVideoCode(text: string): boolean {
  return code.test(text);
}

/** The video code in a pasted address; any other text unchanged. */
export function videoCodeIn(text: string): string {
  const typed = text.trim();
  const url = URL.parse(/^https?:/iu.test(typed) ? typed : `https://${typed}`);
  if (!url) {
    return typed;
  }
  const [first = "", second = ""] = url.pathname.split("/").filter(Boolean);
  const found =
    url.hostname === "youtu.be"
      ? first
      : hosts.has(url.hostname)
        ? (url.searchParams.get("v") ?? (["embed", "shorts", "live", "v"].includes(first) ? second : ""))
        : "";
  return isVideoCode(found) ? found : typed;
}

export function thumbnailUrl(video: string): string {
  return `https://i.ytimg.com/vi/${video}/mqdefault.jpg`;
}

/** The player without cookies; autoplay, because the user has just clicked the video. */
export function embedUrl(video: string): string {
  return `https://www.youtube-nocookie.com/embed/${video}?autoplay=1&rel=0`;
}

export function watchUrl(video: string): string {
  return `https://www.youtube.com/watch?v=${video}`;
}

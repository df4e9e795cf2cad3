const iconPx = 64;
let wanted = 0;

/**
 * Shows the count on the tab's icon; rejects where it cannot be drawn. As PNG: browsers without a store of icons load the icon
 * at each navigation, and an SVG is a document of its own each time.
 */
export async function markIcon(count: number): Promise<void> {
  wanted = count;
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const canvas = document.createElement("canvas");
  canvas.width = iconPx;
  canvas.height = iconPx;
  const drawing = new Image(iconPx, iconPx);
  drawing.src = `data:image/svg+xml,${encodeURIComponent(iconWith(count))}`;
  await drawing.decode();
  canvas.getContext("2d")?.drawImage(drawing, 0, 0, iconPx, iconPx);
  if (link && count === wanted) {
    link.type = "image/png";
    link.href = canvas.toDataURL();
  }
}

/** The mark of favicon.svg, with a badge over its corner where somebody waits. */
export function iconWith(count: number): string {
  const text = count > 9 ? "9+" : String(count);
  const badge = `<circle cx="22" cy="22" r="10" fill="#c0362c"/><text x="22" y="26.5" font-family="sans-serif" font-size="13" font-weight="700" text-anchor="middle" fill="#fff">${text}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0c7a5a"/><path fill="#fff" fill-rule="evenodd" d="M10.5 7.5h6.8c4 0 6.4 2.3 6.4 5.8s-2.5 5.9-6.5 5.9h-2.8v5.3h-3.9zm3.9 3.3v5.1h2.3c2 0 3-.9 3-2.6 0-1.6-1-2.5-3-2.5z"/>${count === 0 ? "" : badge}</svg>`;
}

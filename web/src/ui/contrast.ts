/** What is the contrast ratio of two colours? WCAG 2.2: relative luminance, and a ratio of 1 to 21. */

/** Reads #rgb, #rrggbb and #rrggbbaa (alpha is ignored); undefined for anything else. */
export function parseHex(text: string): readonly [number, number, number] | undefined {
  const hex = /^#([\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/i.exec(text.trim())?.[1];
  if (!hex) {
    return undefined;
  }
  const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
  const channel = (at: number) => Number.parseInt(full.slice(at, at + 2), 16);
  return [channel(0), channel(2), channel(4)];
}

/** The ratio between two hex colours; 1 where one of them cannot be read. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return a === undefined || b === undefined ? 1 : (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Black or white, whichever reads better on a colour that the user chose. */
export function readableOn(background: string): "#000000" | "#ffffff" {
  return contrast(background, "#ffffff") >= 4.5 || contrast(background, "#ffffff") > contrast(background, "#000000")
    ? "#ffffff"
    : "#000000";
}

function luminance(hex: string): number | undefined {
  const rgb = parseHex(hex);
  if (!rgb) {
    return undefined;
  }
  const [red, green, blue] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

import { readFile } from "node:fs/promises";
import sharp from "sharp";

/** A file of the demo, generated here so that no third-party work is shipped. */
export interface DemoFile {
  readonly kind: "image" | "audio" | "document" | "sticker";
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
  readonly seconds: number | null;
  readonly isVoice: boolean;
}

export type Drawing = "shirt" | "receipt" | "sofa" | "crack" | "heart";

const frame = (body: string, background: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600" width="800" height="600"><rect width="800" height="600" fill="${background}"/>${body}</svg>`;

const drawings: Readonly<Record<Drawing, string>> = {
  shirt: frame(
    `<path d="M280 130l-140 80 50 100 60-30v220h300V280l60 30 50-100-140-80a120 90 0 0 1-240 0z" fill="#1f7ae0" stroke="#174f91" stroke-width="8"/><circle cx="400" cy="340" r="52" fill="#fff" opacity=".85"/><path d="M378 340l17 18 32-38" stroke="#174f91" stroke-width="10" fill="none"/>`,
    "#eef2f6",
  ),
  receipt: frame(
    `<rect x="260" y="40" width="280" height="520" fill="#fff"/><g fill="#555"><rect x="290" y="80" width="170" height="18"/><rect x="290" y="130" width="220" height="9"/><rect x="290" y="156" width="190" height="9"/><rect x="290" y="182" width="210" height="9"/></g><circle cx="400" cy="300" r="58" fill="#0f9d76"/><path d="M372 300l21 23 38-46" stroke="#fff" stroke-width="11" fill="none"/><g fill="#999"><rect x="290" y="400" width="220" height="9"/><rect x="290" y="426" width="150" height="9"/></g><rect x="290" y="480" width="220" height="38" fill="#222"/>`,
    "#46525e",
  ),
  sofa: frame(
    `<rect y="430" width="800" height="170" fill="#b79f80"/><rect x="150" y="230" width="500" height="190" rx="38" fill="#a23b2a"/><rect x="110" y="290" width="110" height="180" rx="38" fill="#8d2f20"/><rect x="580" y="290" width="110" height="180" rx="38" fill="#8d2f20"/><rect x="210" y="340" width="190" height="110" rx="20" fill="#c05440"/><rect x="400" y="340" width="190" height="110" rx="20" fill="#c05440"/>`,
    "#e8e2d6",
  ),
  crack: frame(
    `<rect x="230" y="60" width="340" height="480" rx="34" fill="#15181c"/><rect x="252" y="96" width="296" height="408" rx="8" fill="#33465c"/><path d="M300 140l90 120-40 60 110 90-30 80M390 260l110-60M350 320l-80 60" stroke="#dfe8f1" stroke-width="5" fill="none"/>`,
    "#d9dde2",
  ),
  heart: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" width="512" height="512"><path d="M256 440S70 320 70 200a100 100 0 0 1 186-52 100 100 0 0 1 186 52c0 120-186 240-186 240z" fill="#e5344f" stroke="#fff" stroke-width="22"/></svg>`,
};

export async function photo(drawing: Exclude<Drawing, "heart">): Promise<DemoFile> {
  const bytes = await sharp(Buffer.from(drawings[drawing])).jpeg({ quality: 84 }).toBuffer();
  return { kind: "image", name: `${drawing}.jpg`, mimeType: "image/jpeg", bytes, seconds: null, isVoice: false };
}

export async function sticker(): Promise<DemoFile> {
  const bytes = await sharp(Buffer.from(drawings.heart)).webp({ quality: 90 }).toBuffer();
  return { kind: "sticker", name: "sticker.webp", mimeType: "image/webp", bytes, seconds: null, isVoice: false };
}

/** A voice note of the simulator. */
export async function voice(name: "asks" | "thanks"): Promise<DemoFile> {
  const bytes = await readFile(new URL(`../../src/features/simulator/voices/${name}.ogg`, import.meta.url));
  return { kind: "audio", name: "voz.ogg", mimeType: "audio/ogg", bytes, seconds: 3, isVoice: true };
}

/** A PDF of one page with a few lines of Latin text. */
export function pdf(name: string, lines: readonly string[]): DemoFile {
  const text = lines.map(
    (line, index) => `1 0 0 1 72 ${760 - index * 24} Tm (${line.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj`,
  );
  const stream = `BT /F1 14 Tf ${text.join(" ")} ET`;
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>",
    `<</Length ${Buffer.byteLength(stream, "latin1")}>>stream\n${stream}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = Buffer.byteLength(body, "latin1");
    body += `${index + 1} 0 obj${object}endobj\n`;
    return offset;
  });
  const start = Buffer.byteLength(body, "latin1");
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  body += `xref\n0 6\n0000000000 65535 f \n${table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  const bytes = Buffer.from(body, "latin1");
  return { kind: "document", name, mimeType: "application/pdf", bytes, seconds: null, isVoice: false };
}

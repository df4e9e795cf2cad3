import { readFile } from "node:fs/promises";
import sharp from "sharp";
import type { Content } from "@prosa/wa-sim";
import { fileContent } from "../phone/index.ts";
import type { ScriptedMessage } from "./texts.ts";

/** A scripted message as network content: photos are drawn as SVG, voice notes are read from the folder voices. */
export async function networkContent(message: ScriptedMessage): Promise<Content> {
  switch (message.kind) {
    case "text":
      return message.text;
    case "photo":
      return fileContent(
        { name: "foto.jpg", contentType: "image/jpeg", bytes: await drawPhoto(message.photo) },
        { caption: message.caption },
      );
    case "voice": {
      const bytes = await readFile(new URL(`../voices/${message.voice}.ogg`, import.meta.url));
      return fileContent({ name: "voz.ogg", contentType: "audio/ogg", bytes }, { voice: true });
    }
  }
}

type Photo = Extract<ScriptedMessage, { kind: "photo" }>["photo"];

const drawings: Readonly<Record<Photo, string>> = {
  box: `<rect width="720" height="540" fill="#cbd5c9"/><rect y="380" width="720" height="160" fill="#8d7f6d"/>
    <path d="M190 190 360 120l170 70v210l-170 80-170-80z" fill="#c59a63"/><path d="M190 190l170 75 170-75-170-70z" fill="#dab17c"/>
    <path d="M360 265v215" stroke="#a77e4b" stroke-width="6"/><path d="M470 215l36 66-44 40 26 60" fill="none" stroke="#6f4f28" stroke-width="7"/>
    <path d="M262 156l170 74v60l-24-10v-36l-170-74z" fill="#e9d8b8"/>`,
  receipt: `<rect width="720" height="540" fill="#3f4a55"/><g transform="rotate(-4 360 270)"><rect x="220" y="30" width="280" height="480" fill="#fbfaf6"/>
    <g fill="#4a4a4a"><rect x="250" y="64" width="160" height="16"/><rect x="250" y="104" width="220" height="8"/><rect x="250" y="128" width="190" height="8"/>
    <rect x="250" y="152" width="210" height="8"/><rect x="250" y="176" width="120" height="8"/></g>
    <circle cx="360" cy="270" r="46" fill="#1d9a6c"/><path d="M338 271l16 17 30-34" fill="none" stroke="#fff" stroke-width="9"/>
    <g fill="#8a8a8a"><rect x="250" y="356" width="220" height="8"/><rect x="250" y="380" width="160" height="8"/></g>
    <rect x="250" y="428" width="220" height="34" fill="#222"/></g>`,
  label: `<rect width="720" height="540" fill="#b8c7d6"/><rect x="90" y="60" width="540" height="420" rx="26" fill="#31456a"/>
    <rect x="140" y="110" width="440" height="320" rx="12" fill="#fff"/><rect x="170" y="140" width="180" height="26" fill="#31456a"/>
    <g fill="#9aa7b8"><rect x="170" y="190" width="320" height="12"/><rect x="170" y="216" width="280" height="12"/></g>
    <g fill="#111">${[170, 182, 200, 208, 226, 244, 250, 270, 288, 300, 312, 332, 340, 360, 372, 390, 404, 420].map((x, index) => `<rect x="${x}" y="270" width="${4 + (index % 3) * 3}" height="110"/>`).join("")}</g>
    <circle cx="520" cy="330" r="36" fill="#d94f3d"/>`,
};

function drawPhoto(photo: Photo): Promise<Uint8Array> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="540">${drawings[photo]}</svg>`;
  return sharp(Buffer.from(drawing)).jpeg({ quality: 82 }).toBuffer();
}

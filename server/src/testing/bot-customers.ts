import fc from "fast-check";
import type { Content } from "#server/whatsapp/port.ts";
import { isMenu } from "./bot-words.ts";

/** Generated customers of the bot: impatient, chatty, fond of pictures. What a choice is they read from their phone. */

const kinds = [
  "chatter",
  "thanks",
  "emoji",
  "wrongNumber",
  "choice",
  "captionedChoice",
  "titleChoice",
  "photo",
  "voiceNote",
  "sticker",
  "place",
  "mainMenu",
  "previousMenu",
  "stopWord",
] as const;
export type Kind = (typeof kinds)[number];

/** One message of a customer. */
export interface Said {
  readonly kind: Kind;
  /** Chooses among the lines of a menu, and among the ways to write a number. */
  readonly pick: number;
  /** Since the message before. */
  readonly gapSeconds: number;
  /** Reaches the server in one transaction with the message before, as after an outage of the line. */
  readonly joins: boolean;
}

export interface Acted {
  readonly agent: "open" | "pending" | "closed";
}

export type Step = Said | Acted;

export interface Conversation {
  readonly steps: readonly Step[];
  readonly ending: "leaf" | "stopWord" | "wrongAnswers";
}

/** Messages of one burst are less than this far apart. */
export const burstSeconds = 5;

const often = <T>(weight: number, ...values: T[]) => ({ weight, arbitrary: fc.constantFrom(...values) });
const kind = fc.oneof(
  often<Kind>(5, "chatter"),
  often<Kind>(4, "choice", "captionedChoice", "titleChoice"),
  often<Kind>(3, "photo", "voiceNote", "sticker", "place"),
  often<Kind>(2, "thanks", "emoji", "wrongNumber"),
  often<Kind>(1, "mainMenu", "previousMenu"),
  often<Kind>(1, "stopWord"),
);
const pick = fc.nat({ max: 99 });
const said = fc.record<Said>({
  kind,
  pick,
  gapSeconds: fc.integer({ min: 0, max: burstSeconds - 1 }),
  joins: fc.boolean(),
});
const pause = fc.oneof(often(4, 6, 20, 60), often(2, 5 * 60, 20 * 60), often(1, 40 * 60, 3 * 3_600, 11 * 3_600));
/** Two to six messages at once: an album is one of photos alone. */
const burst = fc
  .tuple(
    pause,
    fc.oneof(
      { weight: 5, arbitrary: fc.array(said, { minLength: 1, maxLength: 5 }) },
      { weight: 1, arbitrary: anAlbum() },
    ),
  )
  .map(([gapSeconds, [first, ...rest]]): Step[] => [{ ...first!, gapSeconds, joins: false }, ...rest]);
const act = fc.constantFrom<Acted["agent"]>("open", "pending", "closed").map((agent): Step[] => [{ agent }]);

export const conversation: fc.Arbitrary<Conversation> = fc.record({
  steps: fc
    .array(fc.oneof({ weight: 8, arbitrary: burst }, { weight: 1, arbitrary: act }), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.flat()),
  ending: fc.constantFrom("leaf", "stopWord", "wrongAnswers"),
});

function anAlbum(): fc.Arbitrary<Said[]> {
  return fc
    .tuple(fc.integer({ min: 2, max: 5 }), fc.boolean())
    .map(([count, joins]) =>
      Array.from({ length: count }, () => ({ kind: "photo" as const, pick: 0, gapSeconds: 0, joins })),
    );
}

/** Says the same three times in a row would pass for another machine: each sentence comes in its turn. */
const sentences: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  chatter: [
    "oi",
    "bom dia",
    "tudo bem?",
    "queria saber de um sofá",
    "de três lugares, azul",
    "vocês entregam no sábado?",
    "minha mãe comprou aí ano passado",
    "???",
    "alô",
    "é urgente viu",
  ],
  thanks: ["obrigada!", "valeu", "muito obrigado"],
  emoji: ["👍", "😊", "🙏"],
  wrongNumber: ["9", "77", "12", "45"],
  stopWord: ["sair", "atendente", "humano"],
  mainMenu: ["#"],
  previousMenu: ["0"],
};

export interface Line {
  readonly number: string;
  readonly title: string;
}

/** The numbered lines of the menu that the phone shows last, if nothing but hints came after it. */
export function choicesOn(phone: readonly string[]): readonly Line[] {
  const last = phone.findLastIndex((text) => !isHint(text));
  const menu = phone[last];
  return menu === undefined ? [] : linesOf(menu);
}

/** The numbered lines of a text, without the ways back. */
export function linesOf(menu: string): Line[] {
  const found = [...menu.matchAll(/^\*\[ (\d+) \]\* - (.+)$/gmu)].map(([, number, title]) => ({
    number: number!,
    title: title!,
  }));
  return found.filter(({ number }) => number !== "0");
}

/** Not understood, or the wish for a number: the menu above it is still to be answered. */
function isHint(text: string): boolean {
  return !isMenu(text) && /não entend|número|didn.t understand|no entend/i.test(text);
}

/** The line that the customer has in mind. */
export function lineOf(pick: number, choices: readonly Line[]): Line | undefined {
  return choices[pick % Math.max(choices.length, 1)];
}

/** What the customer writes now. `turn`: how many messages of this kind came before. */
export function wordsOf(
  { kind, pick }: Said,
  choices: readonly Line[],
  turn: number,
): string | Exclude<Content, { kind: "text" }> {
  const line = lineOf(pick, choices) ?? { number: "1", title: "Vendas" };
  switch (kind) {
    case "choice":
      return dressed(line.number, pick);
    case "captionedChoice":
      return fileOf("image", line.number);
    case "titleChoice":
      return [line.title, line.title.toLowerCase(), `${line.title.slice(0, 4)}`][pick % 3]!;
    case "photo":
      return fileOf("image", "");
    case "voiceNote":
      return fileOf("audio", "");
    case "sticker":
      return fileOf("sticker", "");
    case "place":
      return { kind: "location", latitude: -23.5, longitude: -46.6, name: "", address: "" };
    default: {
      const all = sentences[kind]!;
      return all[turn % all.length]!;
    }
  }
}

function dressed(number: string, pick: number): string {
  return [number, `*${number}*`, `${number}.`, `opção ${number}`, `[${number}]`][pick % 5]!;
}

function fileOf(kind: "image" | "audio" | "sticker", caption: string): Exclude<Content, { kind: "text" }> {
  const mimeType = { image: "image/jpeg", audio: "audio/ogg; codecs=opus", sticker: "image/webp" }[kind];
  const unknown = { fileName: null, size: null, width: null, height: null, seconds: null, thumbnail: null };
  return { kind, caption, mimeType, ...unknown, isVoice: kind === "audio", source: {} } as Exclude<
    Content,
    { kind: "text" }
  >;
}

/** One message of an exported chat; its time is the wall clock of the phone. */
export interface ChatLine {
  /** `2026-03-12T14:05:33`; seconds are 00 where the phone wrote none. */
  readonly at: string;
  readonly author: string;
  readonly body: string;
  /** Name of the attached file; null without one. */
  readonly file: string | null;
  /** The export was made without media: there was a file, of which only the kind is known. */
  readonly omitted: "image" | "video" | "audio" | "sticker" | "application" | null;
  readonly isDeleted: boolean;
  readonly isEdited: boolean;
}

export interface ParsedChat {
  readonly lines: readonly ChatLine[];
  /** Notices of WhatsApp itself, which nobody wrote. */
  readonly notices: number;
  /** Messages of a time that cannot be: of a phone whose clock was wrong. They would stand above all others for years. */
  readonly misdated: number;
}

/** Android: `12/03/2024 14:05 - `, `3/12/24, 2:05 PM - `; iOS: `[12/03/2024, 14:05:33] `. */
const start =
  /^\u200E?(\[)?(\d{1,4})[./-](\d{1,2})[./-](\d{2,4}),?\s+(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:\s?([ap])\.?\s?m\.?)?(?:\]\s|\s[-–]\s)(.*)$/isu;

interface Raw {
  readonly numbers: readonly [number, number, number];
  readonly time: string;
  readonly isFromPhoneWithBrackets: boolean;
  rest: string;
  /** The line itself and those that go on with it. */
  whole: string;
}

/** WhatsApp began in that year. */
const earliest = "2009-01-01";

/**
 * Reads WhatsApp's own export (`_chat.txt`) of Android and iOS in Portuguese, English and Spanish. Whether day or month comes first is
 * decided by the whole chat: by which more of the dates exist, else the order in which time does not run backwards, else the day. A line
 * that begins with a date that does not exist (31/02) goes on with the message above it: somebody wrote it. `latest`: the wall clock of
 * the latest time that can be. Pure.
 */
export function parseChat(text: string, latest = "9999"): ParsedChat {
  const raws: Raw[] = [];
  for (const line of text.replace(/^\uFEFF/u, "").split(/\r\n|\n|\r/u)) {
    const raw = parseStart(line);
    if (raw) {
      raws.push(raw);
    } else if (raws.length > 0) {
      const raw = raws.at(-1)!;
      raw.rest += `\n${line}`;
      raw.whole += `\n${line}`;
    }
  }
  const dateOf = dateOrder(raws);
  const lines: ChatLine[] = [];
  let [notices, misdated] = [0, 0];
  for (const raw of withoutImpossible(raws, dateOf)) {
    const message = messageOf(raw, `${dateOf(raw.numbers)}T${raw.time}`);
    if (!message) {
      notices += 1;
    } else if (message.at < earliest || message.at > latest) {
      misdated += 1;
    } else {
      lines.push(message);
    }
  }
  return { lines, notices, misdated };
}

function withoutImpossible(raws: readonly Raw[], dateOf: ToDate): Raw[] {
  const kept: Raw[] = [];
  for (const raw of raws) {
    const above = kept.at(-1);
    if (isReal(dateOf(raw.numbers))) {
      kept.push(raw);
    } else if (above) {
      above.rest += `\n${raw.whole}`;
    }
  }
  return kept;
}

function isReal(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}

function parseStart(line: string): Raw | undefined {
  // Narrow and no-break spaces stand before AM and PM.
  const found = start.exec(line.replaceAll(/[\u00A0\u202F]/gu, " "));
  if (!found) {
    return undefined;
  }
  const [, bracket, a = "", b = "", c = "", hours = "", minutes = "", seconds = "00", half, rest = ""] = found;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) {
    return undefined;
  }
  return {
    numbers: [Number(a), Number(b), Number(c)],
    time: `${String(hour).padStart(2, "0")}:${minutes}:${seconds}`,
    isFromPhoneWithBrackets: bracket !== undefined,
    // Its own spaces stay as they were.
    rest: line.slice(line.length - rest.length),
    whole: line,
  };
}

type ToDate = (numbers: readonly [number, number, number]) => string;

const orders: Readonly<Record<"ymd" | "dmy" | "mdy", ToDate>> = {
  ymd: ([year, month, day]) => isoDate(year, month, day),
  dmy: ([day, month, year]) => isoDate(year, month, day),
  mdy: ([month, day, year]) => isoDate(year, month, day),
};

function isoDate(year: number, month: number, day: number): string {
  const full = year < 100 ? 2000 + year : year;
  return `${String(full).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

function dateOrder(raws: readonly Raw[]): ToDate {
  if (raws.filter(({ numbers }) => numbers[0] > 31).length * 2 > raws.length) {
    return orders.ymd;
  }
  // Not the first date that decides it: somebody may have pasted a line of another phone.
  const impossible = (toDate: ToDate) => raws.filter(({ numbers }) => !isReal(toDate(numbers))).length;
  const [ofDmy, ofMdy] = [impossible(orders.dmy), impossible(orders.mdy)];
  if (ofDmy !== ofMdy) {
    return ofDmy < ofMdy ? orders.dmy : orders.mdy;
  }
  const steps = (toDate: ToDate) => {
    const times = raws.map(({ numbers, time }) => `${toDate(numbers)}T${time}`);
    return times.filter((time, index) => index > 0 && time < times[index - 1]!).length;
  };
  return steps(orders.mdy) < steps(orders.dmy) ? orders.mdy : orders.dmy;
}

const attachedOnAndroid =
  /^\u200E?(.+\.[A-Za-z0-9]{2,5}) \((?:arquivo anexado|file attached|archivo adjunto)\)(?:\n|$)/u;
const attachedOnIos = /\u200E?<(?:anexado|attached|adjunto): ([^>\n]{1,300})>/u;
const omittedOnAndroid =
  /^\u200E?<(?:Mídia oculta|Arquivo de mídia oculto|Media omitted|Multimedia omitido|Archivo omitido)>$/iu;
/** Android keeps the kind of a view-once message to itself: nothing is left of it. */
const omittedOnIos: readonly (readonly [RegExp, NonNullable<ChatLine["omitted"]>])[] = [
  [/^\u200E?(?:imagem ocultada|image omitted|imagen omitida)$/iu, "image"],
  [/^\u200E?(?:vídeo omitido|video omitted|GIF omitido|GIF omitted|GIF ocultado)$/iu, "video"],
  [/^\u200E?(?:áudio ocultado|audio omitted|audio omitido)$/iu, "audio"],
  [/^\u200E?(?:figurinha omitida|sticker omitted|sticker omitido)$/iu, "sticker"],
  [/\u200E(?:documento omitido|document omitted|documento ocultado)$/iu, "application"],
];
const deleted = new RegExp(
  `^\\u200E?(?:${[
    "(?:Esta )?mensagem (?:foi )?apagada",
    "Você apagou esta mensagem",
    "This message was deleted",
    "You deleted this message",
    "(?:Se eliminó|Eliminaste) este mensaje",
  ].join("|")})\\.?$`,
  "iu",
);
const edited = /\s?\u200E?<(?:Mensagem editada|This message was edited|Se editó este mensaje\.?)>$/iu;
/** iOS writes notices as if the chat had said them, behind a mark that no keyboard has. */
const notice =
  /^\u200E(?!<(?:anexado|attached|adjunto):)(?:.*(?:criptografia|end-to-end|cifrad|código de segurança|security code|código de seguridad|criou o grupo|created (?:this )?group|creó (?:el|este) grupo|adicion|added|añadi|agreg|removeu|removed|eliminó|saiu|left|salió|mudou|changed|cambió|bloque|blocked|contato|is a contact|mensagens temporárias|disappearing|temporales))/isu;

function messageOf({ rest, isFromPhoneWithBrackets }: Raw, at: string): ChatLine | undefined {
  const [, author = "", said = ""] = /^([^\n]{1,200}?): ?([^]*)$/u.exec(rest) ?? [];
  if (author === "" || (isFromPhoneWithBrackets && notice.test(said))) {
    return undefined;
  }
  const name = author
    .replaceAll(/[\u200E\u200F\u202A-\u202E]/gu, "")
    .replace(/^~\s?/u, "")
    .trim();
  const isEdited = edited.test(said);
  const text = said.replace(edited, "");
  const plain = { at, author: name, file: null, omitted: null, isDeleted: false, isEdited };
  if (deleted.test(text.trim())) {
    return { ...plain, body: "", isDeleted: true };
  }
  const android = attachedOnAndroid.exec(text);
  if (android) {
    return { ...plain, file: android[1] ?? null, body: clean(text.slice(android[0].length)) };
  }
  const ios = attachedOnIos.exec(text);
  if (ios) {
    const before = text.slice(0, ios.index).trimEnd();
    const after = text.slice(ios.index + ios[0].length).trimStart();
    // Before a document stands its name and the number of its pages.
    const caption = /\u200E|•/u.test(before) ? "" : before;
    return { ...plain, file: (ios[1] ?? "").trim(), body: clean([caption, after].filter(Boolean).join("\n")) };
  }
  const omitted = omittedOnAndroid.test(text.trim())
    ? "image"
    : omittedOnIos.find(([pattern]) => pattern.test(text.trim()))?.[1];
  return omitted ? { ...plain, omitted, body: "" } : { ...plain, body: clean(text) };
}

function clean(text: string): string {
  // No expression that tries a run of spaces again from each of them: a crafted line would hold up everybody.
  return text.replaceAll("\u200E", "").trimEnd().replace(/^\n+/u, "");
}

/**
 * Static BR Code: the text of a Pix QR code that needs no provider. Manual de Padrões para Iniciação do Pix (Banco Central),
 * chapter 2, after EMV QRCPS merchant-presented mode: id, length and value of each field, and a CRC at the end.
 */
export interface StaticPix {
  /** The receiver's Pix key, as registered: at most 77 characters. */
  readonly key: string;
  readonly name: string;
  readonly city: string;
  /** Reais. */
  readonly value: number;
  /** At most 25 letters and digits, to find the payment by. */
  readonly txid: string;
}

const maxName = 25;
const maxCity = 15;
const maxTxid = 25;

/** The text to show as QR code and to copy. Throws RangeError for a key that is empty or too long. */
export function brCodeOf({ key, name, city, value, txid }: StaticPix): string {
  const trimmed = key.trim();
  if (trimmed === "" || trimmed.length > 77) {
    throw new RangeError("a Pix key has 1 to 77 characters");
  }
  const fields = [
    field("00", "01"),
    field("26", field("00", "br.gov.bcb.pix") + field("01", trimmed)),
    // no merchant category, reais, Brazil
    field("52", "0000"),
    field("53", "986"),
    field("54", value.toFixed(2)),
    field("58", "BR"),
    field("59", plainText(name, maxName) || "RECEBEDOR"),
    field("60", plainText(city, maxCity) || "BRASIL"),
    field("62", field("05", txid.replace(/[^A-Za-z0-9]/g, "").slice(0, maxTxid) || "***")),
  ];
  const unchecked = `${fields.join("")}6304`;
  return unchecked + crc16(unchecked);
}

/** Name and city as the manual wants them: without accents, from the printable ASCII characters, within the length. */
export function plainText(text: string, maxLength: number): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maxLength)
    .trim();
}

function field(id: string, value: string): string {
  return id + String(value.length).padStart(2, "0") + value;
}

/** CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF; four capital hexadecimal digits. */
function crc16(text: string): string {
  let crc = 0xff_ff;
  for (const byte of Buffer.from(text, "latin1")) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = crc & 0x80_00 ? ((crc << 1) ^ 0x10_21) & 0xff_ff : (crc << 1) & 0xff_ff;
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}

import { writeStored, readStored } from "#web/lib/session/storage.ts";

/** The signature switch (M-11): on unless it was switched off in this browser. */
export function isSignatureOn(): boolean {
  return readStored("signOption") !== "false";
}

export function saveSignatureSwitch(isOn: boolean): void {
  writeStored("signOption", String(isOn));
}

/** The user's name in bold and a newline before the text (specification 1, section 2); an empty text stays empty. */
export function withSignature(text: string, name: string): string {
  return text === "" ? "" : `*${name}*\n${text}`;
}

import { remember, remembered } from "#web/lib/storage.ts";

/** The sign switch (M-11): on unless it was switched off in this browser. */
export function isSigning(): boolean {
  return remembered("signOption") !== "false";
}

export function keepSigning(isOn: boolean): void {
  remember("signOption", String(isOn));
}

/** The user's name in bold and a newline before the text (specification 1, section 2); nothing before no text. */
export function signed(text: string, name: string): string {
  return text === "" ? "" : `*${name}*\n${text}`;
}

/** Adding a variable to the settings. Pure. */
import { isKnownCampaignKey, type CampaignVariable } from "@prosa/contract/campaign-texts";

/** As the contract has it: letters, digits, _ and -. */
const allowed = /^[\p{L}\p{N}_-]{1,40}$/u;

/** Why a key cannot be added; undefined if it can. Braces around it are what people write in texts. */
export function keyProblem(
  written: string,
  variables: readonly CampaignVariable[],
): "keyMissing" | "keyWrong" | "keyTaken" | undefined {
  const key = keyOf(written);
  if (key === "") {
    return "keyMissing";
  }
  if (!allowed.test(key)) {
    return "keyWrong";
  }
  return isKnownCampaignKey(key, variables) ? "keyTaken" : undefined;
}

/** `{cupom}` → `cupom`. */
export function keyOf(written: string): string {
  return written
    .trim()
    .replace(/^\{+|\}+$/gu, "")
    .trim();
}

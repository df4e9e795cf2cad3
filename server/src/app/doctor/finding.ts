import { translator } from "@prosa/contract/i18n";
import type { Language } from "@prosa/contract/i18n";
import type { Finding } from "@prosa/contract";
import { doctorMessages } from "./doctor.i18n.ts";
import type { DoctorWord } from "./doctor.i18n.ts";

/** "2 conectadas": a word that is put into the language with its count. */
interface Counted {
  readonly word: DoctorWord;
  readonly count: number;
}

/** Numbers are written as the language does; what stands in a setting, as a port, is a string. */
type Values = Readonly<Record<string, string | number | readonly Counted[]>>;

/** A finding before it is put into words; its remedy has the same values as what was found. */
export interface Observation {
  readonly subject: DoctorWord;
  readonly state: Finding["state"];
  readonly found: DoctorWord;
  readonly remedy?: DoctorWord;
  readonly values: Values;
}

export function good(subject: DoctorWord, found: DoctorWord, values: Values = {}): Observation {
  return { subject, state: "good", found, values };
}

export function doubtful(subject: DoctorWord, found: DoctorWord, remedy: DoctorWord, values: Values = {}): Observation {
  return { subject, state: "doubtful", found, remedy, values };
}

export function bad(subject: DoctorWord, found: DoctorWord, remedy: DoctorWord, values: Values = {}): Observation {
  return { subject, state: "bad", found, remedy, values };
}

/** The findings of a look; one that fails by itself is a finding too. */
export async function look(
  subject: DoctorWord,
  work: () => Promise<Observation | readonly Observation[]>,
): Promise<readonly Observation[]> {
  try {
    return [await work()].flat();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [bad(subject, "failed", "failedDo", { reason })];
  }
}

/** Puts a finding into words. `redact` is applied to reasons, which are other programs' and may quote addresses and credentials. */
export function worded(
  { subject, state, found, remedy, values }: Observation,
  language: Language,
  redact: (reason: string) => string = (reason) => reason,
): Finding {
  // What the words need is checked by the test that reads every word with its values.
  const say = translator(doctorMessages, language) as (
    key: DoctorWord,
    values: Readonly<Record<string, string | number>>,
  ) => string;
  const shown = Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value === "object") {
        return [name, value.map(({ word, count }) => say(word, { count })).join(", ")];
      }
      return [name, name === "reason" ? redact(String(value)) : value];
    }),
  );
  return {
    subject: say(subject, shown),
    state,
    found: say(found, shown),
    ...(remedy !== undefined && { remedy: say(remedy, shown) }),
  };
}

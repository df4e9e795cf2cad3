/** One line of the doctor: what was looked at, what is so, and what to do about it. */
export interface Finding {
  readonly subject: string;
  readonly state: "good" | "doubtful" | "bad";
  readonly found: string;
  /** In one sentence; absent where nothing is to be done. */
  readonly remedy?: string;
}

export function good(subject: string, found: string): Finding {
  return { subject, state: "good", found };
}

export function doubtful(subject: string, found: string, remedy: string): Finding {
  return { subject, state: "doubtful", found, remedy };
}

export function bad(subject: string, found: string, remedy: string): Finding {
  return { subject, state: "bad", found, remedy };
}

/** The findings of a look; one that fails by itself is a finding too. */
export async function look(
  subject: string,
  work: () => Promise<Finding | readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return [await work()].flat();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [bad(subject, reason, "Mend what the message names, then ask the doctor again.")];
  }
}

/** Who loses what was typed when another screen is opened over their head, as from the palette? */

/** Asks whether that may be lost; resolves to the answer. */
type Question = () => Promise<boolean>;

const questions = new Set<Question>();

/** Has this asked before another screen is opened, until the returned function is called. */
export function askBeforeLeaving(question: Question): () => void {
  questions.add(question);
  return () => void questions.delete(question);
}

/** Asks everyone who has something to lose, the newest first; false once one of them stays. */
export async function mayLeave(): Promise<boolean> {
  for (const question of [...questions].toReversed()) {
    if (!(await question())) {
      return false;
    }
  }
  return true;
}

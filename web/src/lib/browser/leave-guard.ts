/** Who loses what was typed when another screen is opened over their head, by the palette, a tab or a link? */
import { guardLinks } from "#web/lib/routing/router.tsx";

/** Asks whether that may be lost; resolves to the answer. */
type Question = () => Promise<boolean>;

const questions = new Set<Question>();

/** Has this asked before another screen is opened, until the returned function is called. */
export function askBeforeLeaving(question: Question): () => void {
  questions.add(question);
  guardLinks(mayLeave);
  return () => {
    questions.delete(question);
    guardLinks(questions.size > 0 ? mayLeave : undefined);
  };
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

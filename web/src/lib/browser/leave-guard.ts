/** Who loses what was typed when the page is left over their head, by the palette, a tab, a link, a notification or a reload? */
import { navigate } from "#web/lib/routing/location.ts";
import { guardLinks, isGuarded, whenMayLeave } from "#web/lib/routing/router.tsx";

/** Asks whether that may be lost; resolves to the answer. */
type Question = () => Promise<boolean>;

/** Each with what discards that. */
const questions = new Map<Question, () => void>();

/**
 * Has this asked before another screen is opened, until the returned function is called. Meanwhile the browser asks before it closes the
 * page. `discard` closes the form, which may stand over the screen that is opened too: it runs once everyone has said that it may be lost.
 */
export function askBeforeLeaving(question: Question, discard: () => void): () => void {
  questions.set(question, discard);
  guard();
  return () => {
    questions.delete(question);
    guard();
  };
}

/** Opens another screen of this app, once who typed in a form of this one says that it may be lost. */
export function leaveFor(path: string): void {
  whenMayLeave(() => navigate(path));
}

/** Asks everyone who has something to lose, the newest first; false once one of them stays. Once all agree, it is discarded. */
export async function mayLeave(): Promise<boolean> {
  const asked = [...questions.keys()].toReversed();
  for (const question of asked) {
    if (!(await question())) {
      return false;
    }
  }
  // What was closed meanwhile is not among them any more.
  asked.forEach((question) => questions.get(question)?.());
  return true;
}

function guard(): void {
  const hasQuestions = questions.size > 0;
  guardLinks(hasQuestions ? mayLeave : undefined);
  // Only as long as it is needed: a page that listens to this is not kept for Back by every browser.
  window[hasQuestions ? "addEventListener" : "removeEventListener"]("beforeunload", keepOpen);
}

/** F5, a closed tab, another address. The app's own reload has asked already (`reloadPage`), or must not be held up (`leaveAtOnce`). */
function keepOpen(event: BeforeUnloadEvent): void {
  if (isGuarded()) {
    event.preventDefault();
  }
}

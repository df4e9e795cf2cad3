import { usePopups } from "#web/ui/latePopups.tsx";
import { OpeningDialog } from "#web/ui/Opening.tsx";
import { useQuestionOverPage, type PendingConfirm } from "./questions.ts";

export { confirm } from "./questions.ts";

/** Shows the question that is asked while no dialog is open; mounted once in the app. */
export function Confirms() {
  const question = useQuestionOverPage();
  return question ? <LateConfirm question={question} /> : null;
}

function LateConfirm({ question }: { readonly question: PendingConfirm }) {
  const popups = usePopups(() => question.answer(false));
  return popups ? <popups.ConfirmDialog key={question.id} question={question} /> : <OpeningDialog />;
}

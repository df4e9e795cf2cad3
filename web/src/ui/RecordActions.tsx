import { Pencil, Trash2 } from "lucide-react";
import { useLanguage, useMessages } from "#web/lib/i18n.ts";
import { deleteFailure, recordMessages } from "#web/lib/records.i18n.ts";
import { confirm } from "./Confirm.tsx";
import { IconButton } from "./IconButton.tsx";
import { toast } from "./Toast.tsx";

/** What a row of the operator's lists offers: edit, and delete after a question, with the specification's words. */
export function RecordActions(props: {
  readonly id: number;
  readonly editLabel: string;
  readonly onEdit: () => void;
  /** What deleting means. */
  readonly deleteText: string;
  readonly remove: {
    mutate(id: number, then: { onSuccess: () => void; onError: (error: unknown) => void }): void;
  };
  /** It may be edited only. */
  readonly isKept?: boolean;
}) {
  const t = useMessages(recordMessages);
  const language = useLanguage();
  const ask = async () => {
    const isMeant = await confirm({
      title: t("deleteTitle"),
      text: props.deleteText,
      verb: t("deleteVerb"),
      isDangerous: true,
    });
    if (isMeant) {
      props.remove.mutate(props.id, {
        onSuccess: () => toast.success(t("done")),
        onError: (error) => toast.error(deleteFailure(t("deleteFailed"), error, language)),
      });
    }
  };
  return (
    <>
      <IconButton label={props.editLabel} onClick={props.onEdit}>
        <Pencil />
      </IconButton>
      {!props.isKept && (
        <IconButton label={t("deleteVerb")} onClick={() => void ask()}>
          <Trash2 />
        </IconButton>
      )}
    </>
  );
}

import { Pencil, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { deleteFailure, recordMessages } from "#web/lib/records/records.i18n.ts";
import type { RecordSource, Row } from "#web/lib/records/resource.ts";
import { Spinner } from "./Button.tsx";
import { confirm, onTop } from "./dialogs/questions.ts";
import { IconButton } from "./IconButton.tsx";
import { toast } from "./Toast.tsx";

interface DeleteActionProps {
  readonly id: number;
  readonly deleteTitle?: string | undefined;
  /** The consequences of deleting; a function where they are asked for when the button is pressed. */
  readonly deleteText: string | (() => Promise<string>);
  readonly deletedText?: string | undefined;
  readonly remove: ReturnType<RecordSource<Row>["useRemove"]>;
}

/** Edit and delete buttons of a row; delete asks for confirmation, with the specification's texts by default. */
export function RecordActions(
  props: DeleteActionProps & {
    readonly editLabel: string;
    readonly onEdit: () => void;
    /** Hides the delete button. */
    readonly isKept?: boolean | undefined;
    /** More buttons, before these two. */
    readonly children?: ReactNode;
  },
) {
  return (
    <>
      {props.children}
      <IconButton label={props.editLabel} onClick={props.onEdit}>
        <Pencil />
      </IconButton>
      {!props.isKept && <DeleteAction {...props} />}
    </>
  );
}

/** Deletes a row after a confirmation. */
export function DeleteAction({ id, deleteTitle, deleteText, deletedText, remove }: DeleteActionProps) {
  const t = useMessages(recordMessages);
  const language = useLanguage();
  const [isAsking, setAsking] = useState(false);
  const ask = async (button: HTMLElement) => {
    const before = onTop();
    let text = deleteText;
    if (typeof text === "function") {
      setAsking(true);
      try {
        text = await text();
      } catch (error) {
        // Nobody is asked who cannot be told what goes.
        toast.failure(error);
        return;
      } finally {
        setAsking(false);
      }
      // Late: the row or its screen may be gone, or something else be open.
      if (!button.isConnected || onTop() !== before) {
        return;
      }
    }
    const isConfirmed = await confirm({
      title: deleteTitle ?? t("deleteTitle"),
      text,
      verb: t("deleteVerb"),
      isDangerous: true,
    });
    if (!isConfirmed) {
      return;
    }
    try {
      // Awaited: `mutate` forgets the callbacks of a deletion that another follows, or whose screen is left.
      await remove.mutateAsync(id);
      toast.success(deletedText ?? t("done"));
    } catch (error) {
      toast.error(deleteFailure(t("deleteFailed"), error, language));
    }
  };
  return (
    // not disabled meanwhile: it would lose the focus
    <IconButton
      label={t("deleteVerb")}
      aria-busy={isAsking || undefined}
      onClick={({ currentTarget }) => !isAsking && void ask(currentTarget)}
    >
      {isAsking ? <Spinner /> : <Trash2 />}
    </IconButton>
  );
}

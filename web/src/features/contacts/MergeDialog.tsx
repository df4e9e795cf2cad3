import type { Contact, ContactSummary } from "@prosa/contract/contacts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { serverNow } from "#web/lib/session/clock.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { ContactFinder } from "./ContactFinder.tsx";
import { clearLastMerge, lastMergeOptions, setLastMerge, useMerge, useUndoMerge } from "./contact-list.api.ts";
import { contactListMessages } from "./contact-list.i18n.ts";

interface Values {
  readonly other: ContactSummary | null;
}

/** Chooses the other contact that is the same person, and merges it into this one. */
export function MergeDialog({ contact, onClose }: { readonly contact: Contact; readonly onClose: () => void }) {
  const t = useMessages(contactListMessages);
  const merge = useMerge();
  const queryClient = useQueryClient();

  const save = async ({ other }: Values) => {
    if (!other) {
      return;
    }
    const { id, undoUntil, contact: kept } = await merge.mutateAsync({ keptId: contact.id, gone: other });
    setLastMerge(queryClient, { id, undoUntil, goneName: other.name, keptName: kept.name });
  };

  return (
    <FormDialog<Values>
      title={t("mergeTitle", { name: contact.name })}
      values={{ other: null }}
      verb={t("mergeVerb")}
      width="xs"
      onSave={save}
      onClose={onClose}
    >
      {(form, errorOf) => {
        form.register("other", {
          validate: (other) => (other !== null && other.id !== contact.id) || t("mergeMissing"),
        });
        return (
          <>
            <p>{t("mergeText", { name: contact.name })}</p>
            <ContactFinder
              chosen={form.watch("other") ?? undefined}
              error={errorOf("other")}
              onChoose={(other) => form.setValue("other", other ?? null, { shouldDirty: true })}
            />
          </>
        );
      }}
    </FormDialog>
  );
}

/** Banner of the last merge, with undo as long as the server allows it. */
export function MergeNotice() {
  const t = useMessages(contactListMessages);
  const format = useFormat();
  const queryClient = useQueryClient();
  const undo = useUndoMerge();
  const last = useQuery(lastMergeOptions).data;
  if (!last || Date.parse(last.undoUntil) < serverNow()) {
    return null;
  }
  const run = () =>
    undo.mutate(last.id, {
      onSuccess: () => toast.success(t("unmerged")),
      onError: (error) => toast.failure(error),
    });
  return (
    <Notice role="status">
      <span>
        {t("merged", { gone: last.goneName, kept: last.keptName })}{" "}
        <small>{t("undoUntil", { time: format.time(last.undoUntil) })}</small>
      </span>
      <Button isBusy={undo.isPending} onClick={run}>
        {t("undo")}
      </Button>
      <IconButton label={t("close")} size="small" onClick={() => clearLastMerge(queryClient)}>
        <X />
      </IconButton>
    </Notice>
  );
}

const Notice = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 12,
  padding: "8px 20px",
  borderBottom: `1px solid ${color.line}`,
  backgroundColor: color.accentSoft,
  fontSize: 13,
  "& > span": { flex: 1, minWidth: 0, overflowWrap: "anywhere" },
  "& small": { color: color.ink2 },
});

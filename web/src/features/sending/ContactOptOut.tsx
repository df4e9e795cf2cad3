import type { OptOut } from "@prosa/contract/sending";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { navigate } from "#web/lib/routing/location.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { lateDialog } from "#web/ui/dialogs/lateDialog.tsx";
import { DrawerSection, EditLink } from "#web/ui/DrawerSection.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { optOutsOptions, useTakeOptOutBack } from "./sending.api.ts";
import { sendingMessages } from "./sending.i18n.ts";

const StopCampaignsDialog = lateDialog(async () => (await import("./StopCampaignsDialog.tsx")).StopCampaignsDialog);

/** Whether a contact receives campaigns: since when not and by which words, with what changes it (P-02). */
export function ContactOptOut(props: {
  readonly contactId: number;
  /** Called when the conversation of the message is opened. */
  readonly onLeave?: () => void;
}) {
  const { contactId } = props;
  const t = useMessages(sendingMessages);
  const { data } = useQuery(optOutsOptions(contactId));
  const [isStopping, setStopping] = useState(false);
  const askToTakeBack = useTakeBack(contactId);
  if (!data) {
    return null;
  }
  const { active } = data;
  return (
    <>
      <DrawerSection
        title={t("campaigns")}
        action={
          <EditLink type="button" onClick={() => (active ? void askToTakeBack() : setStopping(true))}>
            {t(active ? "takeBack" : "set")}
          </EditLink>
        }
        isEmpty={!active}
        emptyText={t("receives")}
        isList
      >
        {active && <Since optOut={active} {...props} />}
      </DrawerSection>
      {isStopping && <StopCampaignsDialog contactId={contactId} onClose={() => setStopping(false)} />}
    </>
  );
}

function Since({ optOut, onLeave }: { readonly optOut: OptOut; readonly onLeave?: () => void }) {
  const t = useMessages(sendingMessages);
  const { messageId, ticketUuid, note } = optOut;
  const show = () => {
    onLeave?.();
    navigate(`/tickets/${ticketUuid}`, { state: { messageId } });
  };
  return (
    <Sentence>
      <p>{useSentence(optOut)}</p>
      {note !== "" && <p>{t("note", { note })}</p>}
      {messageId !== null && ticketUuid !== null && (
        <EditLink type="button" onClick={show}>
          {t("toMessage")}
        </EditLink>
      )}
    </Sentence>
  );
}

function useSentence({ at, source, word, user }: OptOut): string {
  const t = useMessages(sendingMessages);
  const format = useFormat();
  const since = `${format.date(at)}, ${format.time(at)}`;
  if (source === "word" && word !== null) {
    return t("since_word", { at: since, word });
  }
  if (source === "declined") {
    return t("since_declined", { at: since });
  }
  return user ? t("since_person", { at: since, name: user.name }) : t("since_nobody", { at: since });
}

function useTakeBack(contactId: number) {
  const t = useMessages(sendingMessages);
  const takeBack = useTakeOptOutBack(contactId);
  return async () => {
    const isDone = await confirm({
      title: t("takeBackTitle"),
      text: t("takeBackText"),
      verb: t("takeBackVerb"),
      run: () => takeBack.mutateAsync(),
    });
    if (isDone) {
      toast.success(t("takenBack"));
    }
  };
}

const Sentence = styled("div")({
  display: "grid",
  justifyItems: "start",
  gap: 4,
  fontSize: 13,
  "& p": { margin: 0, overflowWrap: "anywhere" },
  "& p + p": { color: color.ink2 },
});

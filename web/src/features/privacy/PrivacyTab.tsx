import type { ContactErasure, Retention } from "@prosa/contract/privacy";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { CompanyExportCard } from "#web/features/company-exports/index.ts";
import { SupportCard } from "#web/features/support/index.ts";
import { recordMessages } from "#web/lib/records/records.i18n.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { Card } from "#web/ui/Card.ts";
import { NumberField, saveReadable } from "#web/ui/fields/NumberField.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { EmptyState, ErrorState, Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { media } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { erasuresResource, retentionOptions, usePreviewRetention, useSaveRetention } from "./privacy.api.ts";
import { privacyMessages } from "./privacy.i18n.ts";
import { savableChanges, type RetentionDraft } from "./retention-draft.ts";

/** Settings → privacy: how long conversations are kept, and whose data was erased (V-02). */
export function PrivacyTab() {
  const query = useQuery(retentionOptions);
  return (
    <Screen>
      <SupportCard />
      <CompanyExportCard />
      {query.error && !query.data ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data ? (
        <RetentionForm retention={query.data} />
      ) : (
        <Skeleton style={{ width: "60%", height: 120 }} />
      )}
      <Erasures />
    </Screen>
  );
}

function RetentionForm({ retention }: { readonly retention: Retention }) {
  const t = useMessages(privacyMessages);
  const format = useFormat();
  // Only what was changed here: the queues' own dialogs, and colleagues, change the rest meanwhile.
  const [draft, setDraft] = useState<RetentionDraft>({});
  const { companyDays = retention.companyDays, queues = [] } = draft;
  const changes = savableChanges(draft, retention);
  const preview = usePreviewRetention();
  const save = useSaveRetention();
  const change = (next: RetentionDraft) => {
    preview.reset();
    setDraft({ ...draft, ...next });
  };
  const saveDraft = async () => {
    try {
      await save.mutateAsync(changes);
      // not what was typed meanwhile
      setDraft((now) => (now === draft ? {} : now));
      toast.success(t("saved"));
    } catch (error) {
      toast.failure(error);
    }
  };
  return (
    <Card aria-label={t("retention")}>
      <h2>{t("retention")}</h2>
      <p>{t("retentionHint")}</p>
      <Grid>
        <NumberField
          label={t("company")}
          placeholder={t("forEver")}
          value={companyDays ?? ""}
          onChange={({ target }) => change({ companyDays: daysOf(target.value) })}
        />
        {retention.queues.map(({ id, name, days }) => (
          <NumberField
            key={id}
            label={t("ofQueue", { name })}
            placeholder={t("asCompany")}
            value={(queues.find((queue) => queue.id === id) ?? { days }).days ?? ""}
            onChange={({ target }) =>
              change({ queues: [...queues.filter((queue) => queue.id !== id), { id, days: daysOf(target.value) }] })
            }
          />
        ))}
      </Grid>
      {preview.data && (
        <output>
          {t("previewed", {
            messages: format.number(preview.data.messages),
            files: format.number(preview.data.files),
          })}
        </output>
      )}
      <footer>
        <Button
          disabled={preview.isPending}
          onClick={(event) =>
            saveReadable(event, () => preview.mutate(changes, { onError: (error) => toast.failure(error) }))
          }
        >
          {t("preview")}
        </Button>
        <Button kind="primary" isBusy={save.isPending} onClick={(event) => saveReadable(event, () => void saveDraft())}>
          {t("save")}
        </Button>
      </footer>
    </Card>
  );
}

function daysOf(text: string): number | null {
  const days = Math.trunc(Number(text));
  return days >= 1 ? Math.min(days, 36_500) : null;
}

function Erasures() {
  const t = useMessages(privacyMessages);
  const record = useMessages(recordMessages);
  const list = erasuresResource.useList();
  useFollowed(list.rows.some(({ state }) => state !== "finished"));
  return (
    <ListScreen
      isPart
      title={t("erasures")}
      {...list}
      errorTitle={record("loadFailed")}
      columns={useColumns()}
      empty={<EmptyState icon={<ShieldCheck />} title={t("empty")} text={t("emptyText")} />}
    />
  );
}

/** No event tells of an erasure: while one is under way the list is asked for again each second. */
function useFollowed(isUnderWay: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isUnderWay) {
      return undefined;
    }
    // An answer that takes longer than a second is waited for.
    const ask = () => void queryClient.invalidateQueries({ queryKey: ["erasures"] }, { cancelRefetch: false });
    const timer = setInterval(ask, 1_000);
    return () => clearInterval(timer);
  }, [isUnderWay, queryClient]);
}

function useColumns(): Column<ContactErasure>[] {
  const t = useMessages(privacyMessages);
  const format = useFormat();
  return [
    { key: "contact", title: t("contact"), width: "110px", cell: ({ contactId }) => `#${contactId}` },
    {
      key: "askedBy",
      title: t("askedBy"),
      width: "minmax(110px, 1fr)",
      cell: ({ userName }) => userName ?? "–",
    },
    { key: "askedAt", title: t("askedAt"), width: "152px", cell: ({ requestedAt }) => format.dateTime(requestedAt) },
    {
      key: "state",
      title: t("state"),
      width: "minmax(140px, 1fr)",
      cell: ({ state, erased }) => t(`state_${state}`, { n: format.number(erased) }),
    },
  ];
}

const Screen = styled("div")({
  display: "flex",
  flexDirection: "column",
  height: "100%",
  minHeight: 0,
  overflowY: "auto",
  "& > section:last-child": { flex: "1 0 320px", minHeight: 0, marginTop: 16 },
});

const Grid = styled("div")({
  display: "grid",
  gridTemplateColumns: "repeat(auto-fill, minmax(200px, 1fr))",
  // fields in one line, however long the name of a queue is
  alignItems: "end",
  gap: 12,
  maxHeight: 280,
  overflowY: "auto",
  // the screen scrolls, not a part of it
  [media.phone]: { maxHeight: "none" },
});

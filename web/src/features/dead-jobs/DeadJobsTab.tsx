import type { DeadJob } from "@prosa/contract/dead-jobs";
import { CircleCheck, RotateCw } from "lucide-react";
import { useFormat } from "#web/lib/text/format.ts";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { deleteFailure, recordMessages } from "#web/lib/records/records.i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ListScreen, type Column } from "#web/ui/ListScreen.tsx";
import { DeleteAction } from "#web/ui/RecordActions.tsx";
import { EmptyState } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { deadJobsResource, useRetryJob } from "./dead-jobs.api.ts";
import { deadJobMessages } from "./dead-jobs.i18n.ts";

/** Settings → Stopped jobs, the operator's: dead jobs of every company, to retry or delete. */
export function DeadJobsTab() {
  const t = useMessages(deadJobMessages);
  const record = useMessages(recordMessages);
  const remove = deadJobsResource.useRemove();
  const list = deadJobsResource.useList();
  return (
    <ListScreen
      isPart
      title={t("title")}
      {...list}
      errorTitle={record("loadFailed")}
      columns={useColumns()}
      rowActions={(job) => (
        <>
          <RetryButton job={job} />
          <DeleteAction
            id={job.id}
            deleteText={t("deleteText", { task: job.task, company: job.company?.name ?? t("installation") })}
            remove={remove}
          />
        </>
      )}
      action={
        <Button icon={<RotateCw size={16} />} onClick={list.onRetry}>
          {t("refresh")}
        </Button>
      }
      empty={<EmptyState icon={<CircleCheck />} title={t("empty")} text={t("emptyText")} />}
    />
  );
}

function RetryButton({ job }: { readonly job: DeadJob }) {
  const t = useMessages(deadJobMessages);
  const language = useLanguage();
  const { mutate, isPending } = useRetryJob();
  const run = () =>
    mutate(job.id, {
      onSuccess: () => toast.success(t("willRun")),
      onError: (error) => toast.error(deleteFailure(t("runAgainFailed"), error, language)),
    });
  return (
    <IconButton label={t("runAgain", { task: job.task })} onClick={run} disabled={isPending}>
      <RotateCw />
    </IconButton>
  );
}

function useColumns(): Column<DeadJob>[] {
  const t = useMessages(deadJobMessages);
  const format = useFormat();
  return [
    { key: "task", title: t("task"), width: "minmax(120px, 1fr)", cell: ({ task }) => task },
    {
      key: "company",
      title: t("company"),
      width: "minmax(110px, 1fr)",
      cell: ({ company }) => company?.name ?? t("installation"),
    },
    { key: "lane", title: t("lane"), width: "minmax(80px, 0.7fr)", isWideOnly: true, cell: ({ lane }) => lane ?? "–" },
    {
      key: "attempts",
      title: t("attempts"),
      width: "76px",
      align: "right",
      cell: ({ attempts }) => format.number(attempts),
    },
    {
      key: "lastError",
      title: t("lastError"),
      width: "minmax(140px, 2fr)",
      cell: ({ lastError }) => lastError || t("unknown"),
    },
    { key: "diedAt", title: t("diedAt"), width: "144px", cell: ({ diedAt }) => format.dateTime(diedAt) },
  ];
}

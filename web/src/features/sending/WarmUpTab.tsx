import type { WarmUpStep } from "@prosa/contract/sending";
import { useQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { NumberInput, saveReadable } from "#web/ui/fields/NumberField.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { size } from "#web/ui/tokens.ts";
import { toast } from "#web/ui/Toast.tsx";
import { SectionCard } from "#web/ui/SectionCard.ts";
import { useSaveWarmUpPlan, warmUpPlanOptions } from "./sending.api.ts";
import { sendingMessages } from "./sending.i18n.ts";

/** Settings → warm-up, the operator's: how many conversations a young line of any company may start a day (P-03). */
export function WarmUpTab() {
  const t = useMessages(sendingMessages);
  const query = useQuery(warmUpPlanOptions);
  const save = useSaveWarmUpPlan();
  const [draft, setDraft] = useState<WarmUpStep[]>();
  // Each step keeps its row: a number that cannot be read stands only in its field, and the focus only on its button.
  const [goneKeys, setGoneKeys] = useState<readonly number[]>([]);
  const adder = useRef<HTMLButtonElement>(null);
  if (query.error && !query.data) {
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (!query.data) {
    return <Skeleton style={{ width: "60%" }} />;
  }
  const steps = draft ?? query.data.steps;
  const keys = keysWithout(goneKeys, steps.length);
  const change = (index: number, changes: Partial<WarmUpStep>) =>
    setDraft(steps.map((step, each) => (each === index ? { ...step, ...changes } : step)));
  const remove = (index: number, row: Element | null) => {
    // before the button that has the focus goes, to that of the step that moves up
    const next = index + 1 < steps.length ? row?.nextElementSibling?.querySelector("button") : adder.current;
    next?.focus();
    setDraft(steps.filter((_, each) => each !== index));
    setGoneKeys([...goneKeys, ...keys.slice(index, index + 1)]);
  };
  const cancel = () => {
    setDraft(undefined);
    // all rows are new, without what was typed
    setGoneKeys([...goneKeys, ...keys]);
  };
  const isTwice = new Set(steps.map(({ day }) => day)).size < steps.length;
  const saveDraft = () =>
    save.mutate(steps, {
      onSuccess: () => {
        // not what was changed meanwhile
        setDraft((now) => (now === draft ? undefined : now));
        toast.success(t("planSaved"));
      },
      onError: (error) => toast.failure(error),
    });

  return (
    <SectionCard aria-label={t("planTitle")}>
      <h2>{t("planTitle")}</h2>
      <p>{t("planHint")}</p>
      <Step aria-hidden>
        <small>{t("day")}</small>
        <small>{t("limit")}</small>
      </Step>
      {steps.map(({ day, limit }, index) => (
        <Step key={keys[index]}>
          <NumberInput
            aria-label={t("dayOf", { n: index + 1 })}
            value={day}
            onChange={({ target }) =>
              change(index, { day: Math.min(365, Math.max(1, Math.trunc(Number(target.value)))) })
            }
          />
          <NumberInput
            aria-label={t("limitOf", { n: index + 1 })}
            placeholder={t("noCap")}
            value={limit ?? ""}
            onChange={({ target }) =>
              change(index, { limit: target.value === "" ? null : Math.max(0, Math.trunc(Number(target.value))) })
            }
          />
          <IconButton
            label={t("removeStep", { day })}
            onClick={({ currentTarget }) => remove(index, currentTarget.parentElement)}
          >
            <Trash2 />
          </IconButton>
        </Step>
      ))}
      {isTwice && <small role="alert">{t("sameDay")}</small>}
      <footer>
        <Button
          ref={adder}
          kind="quiet"
          icon={<Plus size={16} />}
          onClick={() => setDraft([...steps, { day: Math.min(365, (steps.at(-1)?.day ?? 0) + 1), limit: null }])}
        >
          {t("addStep")}
        </Button>
        {draft && <Button onClick={cancel}>{t("cancel")}</Button>}
        <Button
          kind="primary"
          disabled={!draft || isTwice}
          isBusy={save.isPending}
          onClick={(event) => saveReadable(event, saveDraft)}
        >
          {t("save")}
        </Button>
      </footer>
    </SectionCard>
  );
}

/** Keys for so many rows: the whole numbers from 0 on, without those of rows that are gone. */
function keysWithout(gone: readonly number[], count: number): readonly number[] {
  const all = Array.from({ length: gone.length + count }, (_, key) => key);
  return all.filter((key) => !gone.includes(key)).slice(0, count);
}

const Step = styled("div")({
  display: "grid",
  // the titles have no button, and stand over their columns
  gridTemplateColumns: `minmax(0, 160px) minmax(0, 200px) ${size.finger}px`,
  alignItems: "center",
  gap: 8,
  "& > small": { fontSize: 12, color: color.ink2 },
});

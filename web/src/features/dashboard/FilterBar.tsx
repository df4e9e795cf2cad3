import { dashboardPeriods } from "@prosa/contract/dashboard";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useRef, useState, type FormEvent, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { DateField } from "#web/ui/dates/DateField.tsx";
import { isDay } from "#web/ui/dates/days.ts";
import { Popover } from "#web/ui/Popover.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { styled } from "#web/ui/styled.ts";
import type { FieldTarget } from "#web/ui/fields/useFieldValue.ts";
import { media } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { productChoices } from "./dashboard.api.ts";
import { dashboardMessages } from "./dashboard.i18n.ts";
import { isEmptyFilter, isReversed, type Filter } from "./filter.ts";

/** By period, or by date where the period is none (D-01); and by product. The range chips stand above. */
export function FilterBar({
  filter,
  onFilter,
  chips,
}: {
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  /** `onOther` leads to the dates. */
  readonly chips: (onOther: () => void) => ReactNode;
}) {
  const t = useMessages(dashboardMessages);
  const firstDate = useRef<FieldTarget>(null);
  const [draft, setDraft] = useState(filter);
  // Only another filter replaces what was typed, not the same one read again, as when the products are known.
  const key = JSON.stringify(filter);
  const [shown, setShown] = useState(key);
  if (shown !== key) {
    setShown(key);
    setDraft(filter);
  }
  const change = (part: Partial<Filter>) => setDraft({ ...draft, ...part });
  const askForDates = () => {
    // at once: a period disables the dates, and what is disabled takes no focus
    flushSync(() => change({ days: 0 }));
    firstDate.current?.focus();
  };

  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (isEmptyFilter(draft)) {
      toast.error(t("parametrize"));
    } else if (isReversed(draft)) {
      toast.error(t("reversed"));
    } else if (isClear(draft.from) && isClear(draft.to)) {
      onFilter(draft);
    }
  };

  return (
    <>
      {chips(askForDates)}
      <Bar onSubmit={apply}>
        <SelectField
          label={t("period")}
          value={draft.days}
          onChange={({ target }) => change({ days: Number(target.value) })}
        >
          {dashboardPeriods.map((days) => (
            <option key={days} value={days}>
              {days === 0 ? t("noPeriod") : t("lastDays", { count: days })}
            </option>
          ))}
        </SelectField>
        <DateField
          ref={firstDate}
          label={t("from")}
          disabled={draft.days > 0}
          value={draft.days > 0 ? "" : draft.from}
          onChange={({ target }) => change({ from: target.value })}
        />
        <DateField
          label={t("to")}
          disabled={draft.days > 0}
          value={draft.days > 0 ? "" : draft.to}
          onChange={({ target }) => change({ to: target.value })}
        />
        <ProductPicker chosen={draft.products} onChoose={(products) => change({ products })} />
        <Button kind="primary" type="submit">
          {t("apply")}
        </Button>
      </Bar>
    </>
  );
}

function ProductPicker(props: {
  readonly chosen: readonly number[];
  readonly onChoose: (products: readonly number[]) => void;
}) {
  const { chosen, onChoose } = props;
  const t = useMessages(dashboardMessages);
  const products = useQuery(productChoices).data ?? [];
  // What was chosen can be taken back, also where no product is left.
  if (products.length === 0 && chosen.length === 0) {
    return null;
  }
  const toggle = (id: number) =>
    onChoose(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <Popover
      label={t("products")}
      width={260}
      opener={(opener) => (
        <Button {...opener} icon={<ChevronDown size={16} />}>
          {t("products")}: {chosen.length === 0 ? t("allProducts") : t("someProducts", { count: chosen.length })}
        </Button>
      )}
    >
      <Choices>
        {products.map(({ id, name }) => (
          <label key={id}>
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            <span>{name}</span>
          </label>
        ))}
        {chosen.length > 0 && (
          <Button kind="quiet" onClick={() => onChoose([])}>
            {t("clearProducts")}
          </Button>
        )}
      </Choices>
    </Popover>
  );
}

/** A text that is no day is explained by its field. */
function isClear(date: string): boolean {
  return date === "" || isDay(date);
}

const Bar = styled("form")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "flex-end",
  gap: 12,
  "& > div": { width: 160 },
  "& input, & > button": { height: 36 },
  [media.phone]: { "& > div": { width: "calc(50% - 6px)" }, "& > div:first-of-type": { width: "100%" } },
});
const Choices = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 2,
  maxHeight: 320,
  overflow: "auto",
  padding: 10,
  "& label": { display: "flex", alignItems: "center", gap: 8, minHeight: 32, cursor: "pointer" },
  "& span": { minWidth: 0, overflowWrap: "anywhere" },
});

import { styled } from "#web/ui/styled.ts";
import type { QueueOption } from "@prosa/contract/queue-options";
import { ListTree, Plus } from "lucide-react";
import { useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { EmptyState, ErrorState, Skeleton } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { color, media } from "#web/ui/theme.ts";
import { MoveDialog } from "./MoveDialog.tsx";
import { OptionDialog, type FileListChoice } from "./OptionDialog.tsx";
import { OptionTreeRow, type OptionActions } from "./OptionTreeRow.tsx";
import { countBelow, dropTarget, stepTarget, visibleRows, withOpen, type Direction } from "./option-tree.ts";
import { useMoveOption, useOptions, useRemoveOption, type OptionMove } from "./queues.api.ts";
import { queueMessages } from "./queues.i18n.ts";

type Form = { readonly option: QueueOption | undefined; readonly parentId: number | null };

/**
 * Tree editor of a queue's options: add, edit, move and delete at any depth, by mouse, by menu and by keyboard.
 * `onChanged` is called after each change, so that a preview can restart.
 */
export function OptionTree(props: {
  readonly queueId: number;
  readonly onChanged: () => void;
  readonly fileLists: FileListChoice;
}) {
  const { queueId, onChanged } = props;
  const t = useMessages(queueMessages);
  const query = useOptions(queueId);
  const options = query.data ?? [];
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [form, setForm] = useState<Form>();
  const [moving, setMoving] = useState<QueueOption>();
  const [focused, setFocused] = useState<number>();
  const [dragged, setDragged] = useState<number>();
  const move = useMoveOption(queueId);
  const remove = useRemoveOption(queueId);
  const rows = visibleRows(options, closed);
  const current = rows.find(({ option }) => option.id === focused) ?? rows[0];

  /** What is put into a collapsed option stays in sight, and keeps the focus. */
  const open = (id: number | null) => setClosed((before) => withOpen(before, options, id));
  const moveTo = async (id: number, targetIn: OptionMove["targetIn"]) => {
    try {
      // Awaited: of two quick steps `mutate` would tell only of the second.
      const { isMoved } = await move.mutateAsync({
        id,
        targetIn: (latest) => {
          const target = targetIn(latest);
          setClosed((before) => withOpen(before, latest, target?.parentId ?? null));
          return target;
        },
      });
      if (isMoved) {
        onChanged();
      }
    } catch (error) {
      toast.failure(error);
    }
  };
  const toggle = (id: number, isOpen: boolean) =>
    setClosed((before) => new Set(isOpen ? [...before].filter((each) => each !== id) : [...before, id]));
  const ask = (option: QueueOption) =>
    void confirm({
      title: t("deleteOptionTitle", { title: option.title }),
      text: t("deleteOptionText", { count: countBelow(options, option.id) }),
      verb: t("deleteOption"),
      isDangerous: true,
      run: () => remove.mutateAsync(option.id).then(onChanged),
    });

  const verbs: OptionActions = {
    onEdit: (option) => setForm({ option, parentId: option.parentId }),
    onAddBelow: (option) => setForm({ option: undefined, parentId: option.id }),
    onStep: (option, direction) => void moveTo(option.id, (latest) => stepTarget(latest, option.id, direction)),
    mayStep: (option, direction: Direction) => stepTarget(options, option.id, direction) !== undefined,
    onMove: setMoving,
    onDelete: ask,
    onToggle: toggle,
    onFocus: (option) => setFocused(option.id),
    onDrag: (option) => setDragged(option?.id),
    mayDrop: (over, place) => dragged !== undefined && dropTarget(options, dragged, over.id, place) !== undefined,
    onDrop: (over, place) => {
      if (dragged !== undefined) {
        void moveTo(dragged, (latest) => dropTarget(latest, dragged, over.id, place));
        setDragged(undefined);
      }
    },
  };

  return (
    <Root>
      <header>
        <h3>{t("options")}</h3>
        <Button icon={<Plus size={16} />} onClick={() => setForm({ option: undefined, parentId: null })}>
          {t("addOption")}
        </Button>
      </header>
      {query.error && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton style={{ width: "70%", margin: 12 }} />}
      {query.data && rows.length === 0 && (
        <EmptyState icon={<ListTree />} title={t("optionsEmpty")} text={t("optionsEmptyText")} />
      )}
      {rows.length > 0 && (
        <>
          <ul role="tree" aria-label={t("options")} aria-busy={move.isPending || undefined}>
            {rows.map((row) => (
              <OptionTreeRow
                key={row.option.id}
                row={row}
                isCurrent={row.option.id === current?.option.id}
                isDragged={row.option.id === dragged}
                verbs={verbs}
              />
            ))}
          </ul>
          <small>{t("waysToPerson")}</small>
          <small data-keys>{t("treeKeys")}</small>
        </>
      )}
      {form && (
        <OptionDialog
          {...{ queueId, ...form, fileLists: props.fileLists }}
          onClose={() => setForm(undefined)}
          onSaved={() => {
            open(form.parentId);
            onChanged();
          }}
        />
      )}
      {moving && (
        <MoveDialog
          option={moving}
          options={options}
          onClose={() => setMoving(undefined)}
          onMoved={(parentId) => {
            open(parentId);
            onChanged();
          }}
        />
      )}
    </Root>
  );
}

const Root = styled("section")({
  display: "flex",
  flexDirection: "column",
  gap: 8,
  minWidth: 0,
  "& > header": { display: "flex", alignItems: "center", gap: 12 },
  "& > header > h3": { flex: 1, fontSize: 13, fontWeight: 600 },
  "& > ul": { listStyle: "none", margin: 0, padding: 0 },
  "& > small": { fontSize: 12, color: color.ink2 },
  [media.coarse]: { "& > [data-keys]": { display: "none" } },
});

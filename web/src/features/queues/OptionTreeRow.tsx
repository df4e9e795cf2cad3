import { styled } from "#web/ui/styled.ts";
import type { QueueOption } from "@prosa/contract/queue-options";
import {
  ArrowDown,
  ArrowUp,
  ChevronRight,
  CornerDownRight,
  CornerLeftUp,
  EllipsisVertical,
  GripVertical,
  MoveRight,
  Paperclip,
  Pencil,
  Plus,
  Trash2,
} from "lucide-react";
import { useState, type DragEvent, type KeyboardEvent } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ActionMenu, type MenuAction } from "#web/ui/Menu.tsx";
import { color, media } from "#web/ui/theme.ts";
import type { Direction, DropPosition, TreeRow } from "./option-tree.ts";
import { queueMessages } from "./queues.i18n.ts";

/** Actions on the option of a row. */
export interface OptionActions {
  readonly onEdit: (option: QueueOption) => void;
  readonly onAddBelow: (option: QueueOption) => void;
  readonly onStep: (option: QueueOption, direction: Direction) => void;
  readonly mayStep: (option: QueueOption, direction: Direction) => boolean;
  readonly onMove: (option: QueueOption) => void;
  readonly onDelete: (option: QueueOption) => void;
  readonly onToggle: (id: number, isOpen: boolean) => void;
  readonly onFocus: (option: QueueOption) => void;
  readonly onDrag: (option: QueueOption | undefined) => void;
  readonly mayDrop: (over: QueueOption, place: DropPosition) => boolean;
  readonly onDrop: (over: QueueOption, place: DropPosition) => void;
}

/** One option in the tree: the answer that chooses it, its title, and its actions. */
export function OptionTreeRow(props: {
  readonly row: TreeRow;
  readonly isCurrent: boolean;
  readonly isDragged: boolean;
  readonly verbs: OptionActions;
}) {
  const { row, isCurrent, isDragged, verbs } = props;
  const { option, depth, hasChildren, isOpen } = row;
  const t = useMessages(queueMessages);
  const [drop, setDrop] = useState<DropPosition>();

  const onDragOver = (event: DragEvent<HTMLElement>) => {
    const place = dropPositionIn(event);
    setDrop(verbs.mayDrop(option, place) ? place : undefined);
    if (verbs.mayDrop(option, place)) {
      event.preventDefault();
    }
  };

  return (
    <Row
      role="treeitem"
      aria-level={depth}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-selected={isCurrent}
      tabIndex={isCurrent ? 0 : -1}
      style={{ paddingLeft: (depth - 1) * 22 }}
      data-drop={drop}
      data-dragged={isDragged || undefined}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = "move";
        verbs.onDrag(option);
      }}
      onDragEnd={() => verbs.onDrag(undefined)}
      onDragOver={onDragOver}
      onDragLeave={() => setDrop(undefined)}
      onDrop={(event) => {
        event.preventDefault();
        setDrop(undefined);
        verbs.onDrop(option, dropPositionIn(event));
      }}
      onFocus={() => verbs.onFocus(option)}
      onKeyDown={(event) => event.target === event.currentTarget && onKey(event, row, verbs)}
      onDoubleClick={() => verbs.onEdit(option)}
    >
      <Grip aria-hidden size={14} />
      <Opener
        type="button"
        tabIndex={-1}
        aria-label={t(isOpen ? "close" : "open")}
        hidden={!hasChildren}
        data-open={isOpen || undefined}
        onClick={() => verbs.onToggle(option.id, !isOpen)}
      >
        <ChevronRight size={15} />
      </Opener>
      <Answer>{option.option}</Answer>
      <Words>
        <b>{option.title}</b>
        <small>{option.message || (hasChildren ? "" : t("leaf"))}</small>
      </Words>
      {option.mediaName && (
        <File title={option.mediaName}>
          <Paperclip aria-hidden size={13} />
          <span>{option.mediaName}</span>
        </File>
      )}
      <ActionMenu
        actions={actionsOf(row, verbs, t)}
        opener={(opener) => (
          <IconButton
            {...opener}
            size="small"
            tabIndex={isCurrent ? 0 : -1}
            label={t("optionActions", { title: option.title })}
          >
            <EllipsisVertical />
          </IconButton>
        )}
      />
    </Row>
  );
}

function actionsOf(
  { option }: TreeRow,
  verbs: OptionActions,
  t: ReturnType<typeof useMessages<(typeof queueMessages)["pt"]>>,
): (MenuAction | "line")[] {
  const step = (direction: Direction, label: string, icon: React.ReactNode): MenuAction => ({
    key: direction,
    label,
    icon,
    disabled: !verbs.mayStep(option, direction),
    onSelect: () => verbs.onStep(option, direction),
  });
  return [
    { key: "edit", label: t("editVerb"), icon: <Pencil />, onSelect: () => verbs.onEdit(option) },
    { key: "add", label: t("addBelow"), icon: <Plus />, onSelect: () => verbs.onAddBelow(option) },
    "line",
    step("up", t("moveUp"), <ArrowUp />),
    step("down", t("moveDown"), <ArrowDown />),
    step("in", t("moveIn"), <CornerDownRight />),
    step("out", t("moveOut"), <CornerLeftUp />),
    { key: "move", label: t("moveTo"), icon: <MoveRight />, onSelect: () => verbs.onMove(option) },
    "line",
    {
      key: "delete",
      label: t("deleteOption"),
      icon: <Trash2 />,
      isDangerous: true,
      onSelect: () => verbs.onDelete(option),
    },
  ];
}

const steps: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowRight: "in",
  ArrowLeft: "out",
};

/** Keyboard of a tree view; with Alt the arrows move the option itself. */
function onKey(
  event: KeyboardEvent<HTMLElement>,
  { option, hasChildren, isOpen }: TreeRow,
  verbs: OptionActions,
): void {
  const direction = steps[event.key];
  if (event.altKey) {
    if (direction) {
      event.preventDefault();
      verbs.onStep(option, direction);
    }
    return;
  }
  const act: Readonly<Record<string, () => void>> = {
    Enter: () => verbs.onEdit(option),
    Delete: () => verbs.onDelete(option),
    ArrowDown: () => focusRow(event.currentTarget, 1),
    ArrowUp: () => focusRow(event.currentTarget, -1),
    ArrowRight: () => (hasChildren && !isOpen ? verbs.onToggle(option.id, true) : focusRow(event.currentTarget, 1)),
    ArrowLeft: () => (isOpen ? verbs.onToggle(option.id, false) : focusRow(event.currentTarget, -1)),
  };
  if (act[event.key]) {
    event.preventDefault();
    act[event.key]?.();
  }
}

function focusRow(row: HTMLElement, step: 1 | -1): void {
  const next = step === 1 ? row.nextElementSibling : row.previousElementSibling;
  (next as HTMLElement | null)?.focus();
}

/** The upper and lower 30 % of a row drop beside it, the middle drops inside. */
function dropPositionIn(event: DragEvent<HTMLElement>): DropPosition {
  const { top, height } = event.currentTarget.getBoundingClientRect();
  const share = (event.clientY - top) / height;
  return share < 0.3 ? "before" : share > 0.7 ? "after" : "inside";
}

const Row = styled("li")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  minHeight: 44,
  boxShadow: `inset 0 -1px 0 ${color.line}`,
  "&:hover": { backgroundColor: color.hover },
  "&:focus-visible": { outlineOffset: -2 },
  "&[data-dragged]": { opacity: 0.4 },
  "&[data-drop='before']": { boxShadow: `inset 0 2px 0 ${color.accent}` },
  "&[data-drop='after']": { boxShadow: `inset 0 -2px 0 ${color.accent}` },
  "&[data-drop='inside']": { backgroundColor: color.accentSoft },
});
const Grip = styled(GripVertical)({
  flex: "none",
  color: color.ink3,
  cursor: "grab",
  opacity: 0,
  "li:hover > &": { opacity: 1 },
  [media.coarse]: { display: "none" },
});
const Opener = styled("button")({
  display: "grid",
  placeItems: "center",
  width: 20,
  height: 28,
  padding: 0,
  margin: "0 -4px 0 -8px",
  border: 0,
  background: "none",
  color: color.ink2,
  cursor: "pointer",
  "&[hidden]": { display: "grid", visibility: "hidden" },
  "&[data-open] svg": { transform: "rotate(90deg)" },
});
const Answer = styled("span")({
  flex: "none",
  minWidth: 26,
  maxWidth: 96,
  padding: "1px 6px",
  borderRadius: 6,
  textAlign: "center",
  fontSize: 12,
  fontWeight: 600,
  lineHeight: "20px",
  fontVariantNumeric: "tabular-nums",
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
  backgroundColor: color.accentSoft,
  color: color.accent,
});
const Words = styled("span")({
  flex: 1,
  minWidth: 0,
  display: "flex",
  flexDirection: "column",
  "& > *": { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& > b": { fontWeight: 500 },
  "& > small": { fontSize: 12, color: color.ink2 },
});
const File = styled("span")({
  display: "flex",
  alignItems: "center",
  gap: 4,
  minWidth: 14,
  maxWidth: 120,
  fontSize: 12,
  color: color.ink2,
  "& span": { minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
});

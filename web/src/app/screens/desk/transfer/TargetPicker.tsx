import { Combobox } from "@base-ui/react/combobox";
import { useState } from "react";
import { isLeaveKey } from "#web/lib/browser/field-keys.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ColorDot } from "#web/ui/Chip.tsx";
import { Field, Input } from "#web/ui/fields/Field.tsx";
import { Presence } from "#web/ui/Person.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { targetKey, targetName, type Target } from "./transfer-targets.ts";
import { transferMessages } from "./transfer.i18n.ts";

interface TargetPickerProps {
  readonly chosen: Target | undefined;
  readonly isLoading: boolean;
  readonly error: string | undefined;
  /** The people and queues for a text, best ones first. */
  readonly match: (text: string) => { readonly people: readonly Target[]; readonly queues: readonly Target[] };
  /** Undefined: another one is to be chosen. */
  readonly onChoose: (target: Target | undefined) => void;
  readonly onEscape: () => void;
}

/** A field that finds people and queues by name; Enter takes the first one. What is chosen stands in its place. */
export function TargetPicker({ chosen, isLoading, error, match, onChoose, onEscape }: TargetPickerProps) {
  const t = useMessages(transferMessages);
  const [text, setText] = useState("");
  const [wasChosen, setWasChosen] = useState(false);
  if (chosen) {
    return (
      <Chosen>
        <TargetRow target={chosen} />
        <Button
          aria-label={t("changeTarget", { name: targetName(chosen) })}
          onClick={() => {
            setText("");
            setWasChosen(true);
            onChoose(undefined);
          }}
        >
          {t("change")}
        </Button>
      </Chosen>
    );
  }

  const found = match(text);
  const groups = [
    { label: t("people"), items: found.people },
    { label: t("queues"), items: found.queues },
  ].filter(({ items }) => items.length > 0);
  return (
    <Combobox.Root
      inline
      open
      autoHighlight
      items={groups}
      filter={null}
      value={null}
      isItemEqualToValue={(one: Target, other: Target) => targetKey(one) === targetKey(other)}
      itemToStringLabel={targetName}
      inputValue={text}
      onInputValueChange={(next, { reason }) => reason === "input-change" && setText(next)}
      onValueChange={(target: Target | null) => target && onChoose(target)}
    >
      <Field label={t("to")} error={error}>
        {(control) => (
          <Combobox.Input
            {...control}
            render={<Input autoFocus={wasChosen} />}
            autoComplete="off"
            placeholder={t("toHint")}
            onKeyDown={(event) => {
              if (isLeaveKey(event)) {
                // Base UI would clear the list and keep the dialog.
                event.preventBaseUIHandler();
                event.stopPropagation();
                onEscape();
              }
            }}
          />
        )}
      </Field>
      <List aria-label={t("to")}>
        {(group: (typeof groups)[number]) => (
          <Combobox.Group key={group.label} items={group.items}>
            <GroupLabel>{group.label}</GroupLabel>
            <Combobox.Collection>
              {(target: Target) => (
                <Item key={targetKey(target)} value={target}>
                  <TargetRow target={target} />
                </Item>
              )}
            </Combobox.Collection>
          </Combobox.Group>
        )}
      </List>
      {groups.length === 0 && <Nothing role="status">{t(isLoading ? "loading" : "nobodyFound")}</Nothing>}
    </Combobox.Root>
  );
}

function TargetRow({ target }: { readonly target: Target }) {
  const t = useMessages(transferMessages);
  if (target.kind === "queue") {
    return (
      <Row>
        <Middle>
          <b title={target.queue.name}>
            <ColorDot tint={target.queue.color} /> {target.queue.name}
          </b>
        </Middle>
        <small>{t("waitsThere")}</small>
      </Row>
    );
  }
  const { name, online, openTickets, queues } = target.user;
  const served = queues.map((queue) => queue.name).join(", ");
  return (
    <Row>
      <Avatar name={name} size={28} />
      <Middle>
        <b title={name}>{name}</b>
        <small title={served}>{served || t("noQueueServed")}</small>
      </Middle>
      <End>
        <Presence isOnline={online} />
        {openTickets !== null && <span>{t("open", { count: openTickets })}</span>}
      </End>
    </Row>
  );
}

const List = styled(Combobox.List)({
  flex: "none",
  height: 232,
  padding: 4,
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  overflowY: "auto",
  overscrollBehavior: "contain",
  "&[data-empty]": { display: "none" },
});
const GroupLabel = styled(Combobox.GroupLabel)({
  padding: "6px 8px 4px",
  fontSize: 12,
  fontWeight: 600,
  color: color.ink2,
});
const Item = styled(Combobox.Item)({
  display: "flex",
  minHeight: 44,
  padding: "4px 8px",
  borderRadius: 6,
  outline: 0,
  cursor: "pointer",
  "&[data-highlighted]": { backgroundColor: color.hover, boxShadow: `inset 2px 0 0 ${color.accent}` },
});
const Row = styled("span")({
  flex: 1,
  minWidth: 0,
  display: "flex",
  alignItems: "center",
  gap: 10,
  fontSize: 13,
  "& small": { fontSize: 12, color: color.ink2 },
});
const Middle = styled("span")({
  flex: 1,
  minWidth: 0,
  display: "flex",
  flexDirection: "column",
  textAlign: "left",
  "& > *": { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& b": { fontWeight: 500 },
});
const End = styled("span")({
  flex: "none",
  display: "flex",
  flexDirection: "column",
  alignItems: "flex-end",
  fontSize: 12,
  color: color.ink2,
  fontVariantNumeric: "tabular-nums",
});
const Chosen = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 12,
  padding: "8px 8px 8px 12px",
  border: `1px solid ${color.lineStrong}`,
  borderRadius: 8,
});
const Nothing = styled("p")({ margin: 0, color: color.ink2 });

import { Combobox } from "@base-ui/react/combobox";
import { maxSearchLetters } from "@prosa/contract/common";
import type { ContactSummary } from "@prosa/contract/contacts";
import type { Colleague } from "@prosa/contract/users";
import { Search } from "lucide-react";
import { useState } from "react";
import { isLeaveKey } from "#web/lib/browser/field-keys.ts";
import { mayLeave } from "#web/lib/browser/leave-guard.ts";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { ColorDot } from "#web/ui/Chip.tsx";
import { Dialog } from "#web/ui/dialogs/Dialog.tsx";
import { Keys } from "#web/ui/Keys.tsx";
import { groupLabelStyle, itemStyle, listStyle } from "#web/ui/select/parts.ts";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import type { MenuGroup } from "../menu.ts";
import { matchCommands } from "./matchCommands.ts";
import type { PaletteEntry } from "./paletteEntry.ts";
import { paletteMessages } from "./palette.i18n.ts";
import { useCommandEntries } from "./useCommandEntries.ts";
import { usePaletteFinds } from "./usePaletteFinds.ts";

interface EntryGroup {
  readonly value: string;
  readonly items: readonly PaletteEntry[];
}

/** Ctrl K: finds conversations, contacts, colleagues, quick replies, screens and actions, in groups (Z-03). */
export function Palette(props: {
  readonly groups: readonly MenuGroup[];
  readonly onHelp: () => void;
  readonly onContact: (contact: ContactSummary) => void;
  readonly onPerson: (person: Colleague) => void;
  readonly onClose: () => void;
}) {
  const { onClose } = props;
  const t = useMessages(paletteMessages);
  const [text, setText] = useState("");
  const { screens, tabs, actions } = useCommandEntries(props.groups, props.onHelp);
  const finds = usePaletteFinds(text, props);

  const groups: readonly EntryGroup[] = [
    { value: t("conversations"), items: finds.conversations },
    { value: t("contacts"), items: finds.contacts },
    { value: t("people"), items: finds.people },
    { value: t("replies"), items: finds.replies },
    { value: t("screens"), items: matchCommands(text.trim() === "" ? screens : [...screens, ...tabs], text) },
    { value: t("actions"), items: matchCommands(actions, text) },
  ].filter(({ items }) => items.length > 0);

  const run = async (entry: PaletteEntry | null) => {
    if (entry) {
      onClose();
      // An action stays where one is, or asks itself; all else opens another screen.
      if (actions.includes(entry) || (await mayLeave())) {
        entry.run();
      }
    }
  };

  return (
    <Dialog onClose={onClose} aria-label={t("title")} fills="never" isAtTop initialFocus={searchField}>
      <Combobox.Root
        inline
        open
        autoHighlight
        items={groups}
        filter={null}
        value={null as PaletteEntry | null}
        isItemEqualToValue={(one: PaletteEntry, other: PaletteEntry) => one.key === other.key}
        itemToStringLabel={(entry: PaletteEntry) => entry.label}
        inputValue={text}
        onInputValueChange={setText}
        onValueChange={(entry) => void run(entry)}
      >
        <Line>
          <Search aria-hidden size={18} />
          <Combobox.Input
            autoComplete="off"
            aria-label={t("title")}
            placeholder={t("placeholder")}
            maxLength={maxSearchLetters}
            onKeyDown={(event) => {
              if (isLeaveKey(event)) {
                // closes the dialog around it, also with a text, which Base UI would clear
                event.preventBaseUIHandler();
                event.stopPropagation();
                onClose();
              }
            }}
          />
          <Keys keys={shortcuts.commands} />
        </Line>
        <List aria-label={t("title")}>
          {(group: EntryGroup) => (
            <Combobox.Group key={group.value} items={group.items}>
              <GroupLabel>{group.value}</GroupLabel>
              <Combobox.Collection>
                {(entry: PaletteEntry) => <Entry key={entry.key} entry={entry} />}
              </Combobox.Collection>
            </Combobox.Group>
          )}
        </List>
      </Combobox.Root>
      <Status role="status">
        {finds.isSearching
          ? t("searching")
          : finds.isFailed
            ? t("failed")
            : groups.length === 0 && t("nothing", { text: text.trim() })}
      </Status>
    </Dialog>
  );
}

/** What the letters go to. */
const searchField = (dialog: HTMLElement) => dialog.querySelector("input");

function Entry({ entry }: { readonly entry: PaletteEntry }) {
  return (
    <Item value={entry}>
      {entry.tint === undefined ? (
        entry.icon && <entry.icon aria-hidden strokeWidth={1.75} />
      ) : (
        <DotPlace aria-hidden>
          <ColorDot tint={entry.tint} />
        </DotPlace>
      )}
      <span>
        <b>{entry.label}</b>
        {entry.detail && <small>{entry.detail}</small>}
      </span>
      {entry.shortcut && <Keys keys={entry.shortcut} />}
    </Item>
  );
}

const Line = styled("div")({
  flex: "none",
  display: "flex",
  alignItems: "center",
  gap: 10,
  padding: "0 16px",
  borderBottom: `1px solid ${color.line}`,
  color: color.ink2,
  "& input": {
    flex: 1,
    minWidth: 0,
    height: 48,
    border: 0,
    background: "none",
    color: color.ink,
    fontSize: 15,
    outline: 0,
    textOverflow: "ellipsis",
    [media.coarse]: { fontSize: 16 },
  },
});
const List = styled(Combobox.List)({ ...listStyle, maxHeight: "min(440px, 60dvh)", padding: 6 });
const GroupLabel = styled(Combobox.GroupLabel)(groupLabelStyle);
const Item = styled(Combobox.Item)({
  ...itemStyle,
  minHeight: 36,
  color: color.ink2,
  "& > svg": { flex: "none", width: 16, height: 16, color: color.ink2 },
  "& > span:not([aria-hidden])": { flex: 1, minWidth: 0, display: "flex", alignItems: "baseline", gap: 8 },
  "& b, & small": { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
  "& b": { flex: "0 1 auto", minWidth: "40%", fontWeight: 400, color: color.ink },
  "& small": { flex: "1 1 0", minWidth: 0, fontSize: 12 },
  "&[data-highlighted]": { backgroundColor: color.accentSoft },
});
const DotPlace = styled("span")({ flex: "none", display: "grid", placeItems: "center", width: 16 });
const Status = styled("p")({
  padding: "8px 16px 12px",
  fontSize: 12,
  color: color.ink2,
  overflowWrap: "anywhere",
  "&:empty": { display: "none" },
});

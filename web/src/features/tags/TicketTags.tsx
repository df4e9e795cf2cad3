import type { Tag } from "@prosa/contract/tags";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { DrawerSection, EditLink, Removable } from "#web/ui/DrawerSection.tsx";
import { LabelPicker } from "#web/ui/fields/LabelPicker.tsx";
import { tagMessages } from "./tags.i18n.ts";
import { useTicketTags } from "./useTicketTags.ts";

/** The tags of a ticket: choose, create, remove (T-20). */
export function TicketTags(props: {
  readonly ticketId: number;
  readonly tags: readonly Tag[];
  readonly onChanged: (tags: readonly Tag[]) => void;
}) {
  const { tags } = props;
  const t = useMessages(tagMessages);
  const { all, isSaving, toggle, create, remove } = useTicketTags(props);

  return (
    <DrawerSection
      title={t("title")}
      action={
        <LabelPicker
          label={t("title")}
          labels={all}
          chosen={tags.map(({ id }) => id)}
          onToggle={toggle}
          onCreate={create}
          minLength={3}
          opener={(opener) => (
            <EditLink
              type="button"
              aria-label={`${t("edit")}: ${t("title")}`}
              aria-keyshortcuts={shortcuts.tags}
              title={t("key", { key: shortcuts.tags.toUpperCase() })}
              {...opener}
            >
              {t("edit")}
            </EditLink>
          )}
        />
      }
      isEmpty={tags.length === 0}
      emptyText={t("none")}
    >
      {tags.map(({ id, name, color }) => (
        <Removable
          key={id}
          tint={color}
          removeLabel={t("remove", { name })}
          disabled={isSaving}
          onRemove={() => remove(id)}
        >
          {name}
        </Removable>
      ))}
    </DrawerSection>
  );
}

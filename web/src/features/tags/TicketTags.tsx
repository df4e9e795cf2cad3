import type { Tag } from "@prosa/contract/tags";
import { useQuery } from "@tanstack/react-query";
import { useMessages } from "#web/lib/text/i18n.ts";
import { DrawerSection, EditLink, Removable } from "#web/ui/DrawerSection.tsx";
import { LabelPicker } from "#web/ui/LabelPicker.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { tagsOptions, useSetTags, type TagChoice } from "./tags.api.ts";
import { tagMessages } from "./tags.i18n.ts";

/** The tags of a ticket: choose, create, remove (T-20). */
export function TicketTags(props: {
  readonly ticketId: number;
  readonly tags: readonly Tag[];
  readonly onChanged: (tags: readonly Tag[]) => void;
}) {
  const { tags } = props;
  const t = useMessages(tagMessages);
  const all = useQuery(tagsOptions).data ?? [];
  const set = useSetTags();

  const change = (choices: readonly TagChoice[]) =>
    set.mutate(
      { ticketId: props.ticketId, choices },
      { onSuccess: (saved) => props.onChanged(saved.tags), onError: (error) => toast.failure(error) },
    );
  const without = (id: number) => tags.filter((tag) => tag.id !== id);
  const toggle = (id: number) => {
    const chosen = all.find((tag) => tag.id === id);
    change(tags.some((tag) => tag.id === id) ? without(id) : [...tags, ...(chosen ? [chosen] : [])]);
  };

  return (
    <DrawerSection
      title={t("title")}
      action={
        <LabelPicker
          label={t("title")}
          labels={all}
          chosen={tags.map(({ id }) => id)}
          onToggle={toggle}
          onCreate={(name) => change([...tags, { name }])}
          minLength={3}
          opener={(opener) => (
            <EditLink type="button" aria-label={`${t("edit")}: ${t("title")}`} {...opener}>
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
          disabled={set.isPending}
          onRemove={() => change(without(id))}
        >
          {name}
        </Removable>
      ))}
    </DrawerSection>
  );
}

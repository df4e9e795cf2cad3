import { styled } from "#web/ui/styled.ts";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Tag, User } from "lucide-react";
import type { ReactNode } from "react";
import { tagsOptions } from "#web/features/tags/index.ts";
import { ticketListOptions } from "#web/features/tickets/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { LabelPicker } from "#web/ui/fields/LabelPicker.tsx";
import type { Label } from "#web/ui/select/labels.ts";
import { color, media, pillForFingers } from "#web/ui/theme.ts";
import { colleaguesOptions } from "#web/features/users/index.ts";
import { deskMessages } from "#web/app/screens/desk/desk.i18n.ts";
import { searchFilterMessages } from "./search-filters.i18n.ts";
import type { useDeskList } from "./useDeskList.ts";

/** Filters of the search: tags, and users for admins (T-03). */
export function SearchFilters({ desk }: { readonly desk: ReturnType<typeof useDeskList> }) {
  const t = useMessages(deskMessages);
  const tags = useQuery(tagsOptions).data ?? [];
  const users = useQuery({ ...colleaguesOptions, enabled: desk.mayFilterUsers }).data ?? [];
  return (
    <>
      <Filter label={t("filterTags")} icon={<Tag />} labels={tags} chosen={desk.tags} onChange={desk.setTags} />
      {desk.mayFilterUsers && (
        <Filter
          label={t("filterUsers")}
          icon={<User />}
          labels={users.map(({ id, name }) => ({ id, name }))}
          chosen={desk.users}
          onChange={desk.setUsers}
        />
      )}
      <AtLeast desk={desk} />
    </>
  );
}

/** How many a search found that stopped before it knew all matches (T-03). */
function AtLeast({ desk }: { readonly desk: ReturnType<typeof useDeskList> }) {
  const t = useMessages(searchFilterMessages);
  // the list fetches
  const { data } = useInfiniteQuery({ ...ticketListOptions(desk.list), enabled: false });
  const last = data?.pages.at(-1);
  return (
    <Note role="status">
      {!desk.isSearchEmpty && last?.countIsLowerBound === true && t("atLeast", { count: last.count })}
    </Note>
  );
}

function Filter(props: {
  readonly label: string;
  readonly icon: ReactNode;
  readonly labels: readonly Label[];
  readonly chosen: readonly number[];
  readonly onChange: (ids: readonly number[]) => void;
}) {
  const { label, chosen } = props;
  const t = useMessages(deskMessages);
  const toggle = (id: number) =>
    props.onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <LabelPicker
      label={label}
      labels={props.labels}
      chosen={chosen}
      onToggle={toggle}
      onClear={() => props.onChange([])}
      opener={(opener) => (
        <FilterButton type="button" data-on={chosen.length > 0 || undefined} {...opener}>
          {props.icon}
          {chosen.length === 0 ? label : t("chosen", { label, count: chosen.length })}
        </FilterButton>
      )}
    />
  );
}

const Note = styled("span")({
  marginLeft: "auto",
  fontSize: 12,
  color: color.ink2,
  whiteSpace: "nowrap",
  fontVariantNumeric: "tabular-nums",
});
const FilterButton = styled("button")({
  display: "inline-flex",
  alignItems: "center",
  gap: 5,
  height: 26,
  padding: "0 8px",
  border: 0,
  borderRadius: 13,
  backgroundColor: color.chip,
  fontSize: 12,
  fontWeight: 500,
  color: color.ink2,
  cursor: "pointer",
  "& svg": { width: 14, height: 14 },
  "&:hover": { color: color.ink },
  "&[data-on]": { backgroundColor: color.accentSoft, color: color.accent },
  [media.coarse]: pillForFingers,
});

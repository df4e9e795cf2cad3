import type { QuickMessage } from "@prosa/contract/quick-messages";
import { useQuery } from "@tanstack/react-query";
import { Paperclip } from "lucide-react";
import { useId, useState, type KeyboardEvent } from "react";
import { isSendKey } from "#web/lib/browser/field-keys.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { EmptyState, ErrorState, ProgressBar } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { pickerMessages } from "./picker.i18n.ts";
import { quickRepliesOptions } from "./quick-replies.api.ts";
import { shortcodeOf, suggestionsFor } from "./suggestions.ts";

/** All quick replies with a search field: arrows move, Enter chooses. */
export function QuickReplyPicker({ onChoose }: { readonly onChoose: (one: QuickMessage) => void }) {
  const t = useMessages(pickerMessages);
  const query = useQuery(quickRepliesOptions);
  const [search, setSearch] = useState("");
  const [index, setIndex] = useState(0);
  const listId = useId();
  const all = query.data ?? [];
  const wanted = search.replace(/^\//, "");
  const found = wanted === "" ? all : suggestionsFor(`/${wanted}`, all);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = found[index];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      const next = (index + step + found.length) % found.length;
      setIndex(next);
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: "nearest" });
    } else if (chosen && isSendKey(event)) {
      onChoose(chosen);
    }
  };

  return (
    <>
      <Search
        autoFocus
        value={search}
        placeholder={t("search")}
        aria-label={t("search")}
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? `${listId}-${index}` : undefined}
        onChange={(event) => {
          setSearch(event.target.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      {query.isPending && <ProgressBar label={t("search")} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && found.length === 0 && (
        <EmptyState
          title={t(all.length === 0 ? "none" : "notFound")}
          text={all.length === 0 && <a href="/quick-messages">{t("create")}</a>}
        />
      )}
      <List id={listId} role="listbox" aria-label={t("list")}>
        {found.map((one, at) => (
          <button
            key={one.id}
            id={`${listId}-${at}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={at === index}
            onMouseMove={() => at !== index && setIndex(at)}
            onClick={() => onChoose(one)}
          >
            <span>
              <b>{shortcodeOf(one)}</b>
              <small>{one.message}</small>
            </span>
            {one.isMedia && <Paperclip size={14} aria-label={t("withFile")} />}
          </button>
        ))}
      </List>
    </>
  );
}

const Search = styled("input")({
  flex: "none",
  margin: 8,
  padding: "7px 10px",
  border: `1px solid ${color.lineStrong}`,
  borderRadius: 8,
  outline: 0,
  background: "none",
  fontSize: 13,
  "&:focus": { borderColor: color.accent, boxShadow: `0 0 0 1px ${color.accent}` },
  [media.coarse]: { fontSize: 16 },
});

const List = styled("div")({
  flex: 1,
  minHeight: 0,
  overflowY: "auto",
  padding: "0 4px 4px",
  "&:empty": { flex: "none", padding: 0 },
  "& > button": {
    display: "flex",
    width: "100%",
    alignItems: "center",
    justifyContent: "space-between",
    gap: 8,
    minHeight: 44,
    padding: "5px 10px",
    border: 0,
    borderRadius: 6,
    background: "none",
    textAlign: "left",
    fontSize: 13,
    cursor: "pointer",
    "&[aria-selected=true]": { backgroundColor: color.accentSoft },
  },
  "& > button > span": { minWidth: 0, display: "flex", flexDirection: "column" },
  "& b": { fontWeight: 600, color: color.accent, overflowWrap: "anywhere" },
  "& small": {
    fontSize: 12,
    color: color.ink2,
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
  },
});

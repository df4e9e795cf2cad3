import { styled } from "./styled.ts";
import { maxSearchLetters } from "@prosa/contract/common";
import { Search, SearchX, X } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { isLeaveKey } from "#web/lib/browser/field-keys.ts";
import { useInfiniteScroll, useMedia, useShortcut } from "#web/lib/browser/hooks.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { Input } from "./fields/Field.tsx";
import { IconButton } from "./IconButton.tsx";
import { Screen, ScreenHead, ScreenTitle } from "./Screen.ts";
import { EmptyState, ErrorState, ProgressBar, Skeleton } from "./states.tsx";
import { color, media, size } from "./tokens.ts";

export interface Column<T> {
  readonly key: string;
  readonly title: ReactNode;
  readonly cell: (row: T) => ReactNode;
  /** A grid track: "2fr", "120px". 1fr by default. */
  readonly width?: string;
  readonly align?: "left" | "right";
  /** Hidden on a phone, where rows are cards. */
  readonly isWideOnly?: boolean;
  /** Left out where the table is too narrow for all columns; a dialog tells it. A card shows it. */
  readonly isLaptopOnly?: boolean;
}

interface SearchFieldProps {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly placeholder?: string;
}

export interface ListScreenProps<T extends { readonly id: number | string }> {
  readonly title: string;
  /** Part of a screen that has its own h1. */
  readonly isPart?: boolean | undefined;
  readonly count?: number | undefined;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** Icon buttons and menus, shown while the row is hovered or focused. */
  readonly rowActions?: (row: T) => ReactNode;
  /** Called on click and on Enter. */
  readonly onOpen?: (row: T) => void;
  /** Rows for which `onOpen` is; by default all. */
  readonly canOpen?: (row: T) => boolean;
  /** Background of a row whose state needs attention. */
  readonly rowTone?: ((row: T) => "yellow" | "orange" | "red" | undefined) | undefined;
  /** Accessible name of the row: "Editar fila Vendas". */
  readonly openLabel?: (row: T) => string;
  readonly search?: SearchFieldProps | undefined;
  readonly filters?: ReactNode;
  /** The primary action, at the right; in `empty` instead while the list has no rows. */
  readonly action?: ReactNode;
  /** Secondary actions: import, export. */
  readonly moreActions?: ReactNode;
  readonly isLoading: boolean;
  readonly isLoadingMore?: boolean;
  readonly hasMore?: boolean;
  /** The `error` is that of the next page: it stands below the rows. */
  readonly hasMoreFailed?: boolean;
  readonly error?: unknown;
  /** Title of the error state. */
  readonly errorTitle?: string | undefined;
  readonly onMore?: () => void;
  readonly onRetry?: () => void;
  /** Shown without rows: explains the list and offers the first step, the `action`. */
  readonly empty: ReactNode;
}

/** A list with title, search, filters, rows and pages; rows become cards on a phone. */
export function ListScreen<T extends { readonly id: number | string }>(props: ListScreenProps<T>) {
  // one green button at a time: an empty list offers its first step in the middle
  const isEmpty = props.rows.length === 0 && !props.isLoading && !props.error && !props.search?.text;
  return (
    <Screen aria-label={props.title}>
      <ListHead {...props} action={isEmpty ? undefined : props.action} />
      <ListRows {...props} />
    </Screen>
  );
}

type ListHeadProps = Pick<
  ListScreenProps<{ readonly id: number }>,
  "title" | "isPart" | "count" | "search" | "filters" | "action" | "moreActions"
>;

/** The head of a list screen: title with count, search, filters and actions. */
export function ListHead(props: ListHeadProps) {
  const format = useFormat();
  return (
    <ScreenHead>
      <ScreenTitle as={props.isPart ? "h2" : "h1"}>
        {props.title} {props.count !== undefined && <span>{format.number(props.count)}</span>}
      </ScreenTitle>
      {props.search && <SearchField {...props.search} />}
      {props.filters}
      <Actions>
        {props.moreActions}
        {props.action}
      </Actions>
    </ScreenHead>
  );
}

/** The rows of a list screen, with their loading, empty and error states. */
export function ListRows<T extends { readonly id: number | string }>(props: Omit<ListScreenProps<T>, "title">) {
  const t = useMessages(messages);
  return (
    <Scroller aria-busy={props.isLoading} tabIndex={props.onOpen || props.rowActions ? undefined : 0}>
      <ListContent {...props} />
      {props.isLoadingMore && <ProgressBar label={t("loadingMore")} />}
      {props.hasMoreFailed && !props.isLoadingMore && props.rows.length > 0 && (
        <ErrorState error={props.error} onRetry={props.onMore} />
      )}
    </Scroller>
  );
}

/** The rows, or the loading, empty or error state. */
function ListContent<T extends { readonly id: number | string }>(props: Omit<ListScreenProps<T>, "title">) {
  const t = useMessages(messages);
  const isCards = useMedia(media.phone);
  const isNarrow = useMedia(media.narrowTable);
  const end = useInfiniteScroll({
    hasMore: props.hasMore ?? false,
    isLoading: props.isLoadingMore ?? false,
    hasFailed: props.hasMoreFailed ?? false,
    onMore: () => props.onMore?.(),
  });

  if (props.error && props.rows.length === 0) {
    const { error, errorTitle, onRetry } = props;
    return <ErrorState error={error} title={errorTitle} onRetry={onRetry} />;
  }
  if (props.isLoading) {
    return <LoadingRows columns={isCards ? 1 : props.columns.length} />;
  }
  if (props.rows.length === 0) {
    return props.search?.text ? (
      <EmptyState icon={<SearchX />} title={t("nothing")} text={t("nothingText", { text: props.search.text })} />
    ) : (
      props.empty
    );
  }
  const columns = props.columns.filter(
    ({ isWideOnly, isLaptopOnly }) => !(isCards && isWideOnly) && !(isNarrow && isLaptopOnly),
  );
  const tracks = [...columns.map(({ width }) => width ?? "minmax(0, 1fr)"), ...(props.rowActions ? ["auto"] : [])];
  const opens = (row: T) => props.onOpen !== undefined && (props.canOpen?.(row) ?? true);

  return (
    <Table
      role="table"
      aria-rowcount={props.count ?? -1}
      style={{ "--tracks": tracks.join(" ") } as Record<string, string>}
    >
      {!isCards && (
        <Titles role="row">
          {columns.map(({ key, title, align }) => (
            <span key={key} role="columnheader" data-align={align}>
              {title}
            </span>
          ))}
          {props.rowActions && <span role="columnheader" aria-label={t("actions")} />}
        </Titles>
      )}
      {props.rows.map((row) => (
        <Row
          key={row.id}
          role="row"
          tabIndex={opens(row) ? 0 : undefined}
          aria-label={opens(row) ? props.openLabel?.(row) : undefined}
          data-opens={opens(row) || undefined}
          data-tone={props.rowTone?.(row)}
          onClick={({ target }) => !isAction(target) && opens(row) && props.onOpen?.(row)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && event.target === event.currentTarget && opens(row)) {
              // The same press would go on in the dialog that opens, and save it.
              event.preventDefault();
              props.onOpen?.(row);
            }
          }}
        >
          {columns.map(({ key, title, cell, align }) => {
            const content = cell(row);
            // a card leaves empty cells out: it has no columns to align
            if (isCards && isEmptyContent(content)) {
              return null;
            }
            return (
              // the title shows text that is cut off
              <span key={key} role="cell" data-align={align} title={typeof content === "string" ? content : undefined}>
                {isCards && key !== columns[0]?.key ? (
                  <>
                    <small>{title}</small>
                    <span>{content}</span>
                  </>
                ) : (
                  content
                )}
              </span>
            );
          })}
          {props.rowActions && (
            <span role="cell" data-actions>
              {props.rowActions(row)}
            </span>
          )}
        </Row>
      ))}
      <div ref={end} aria-hidden style={{ height: 1, gridColumn: "1 / -1" }} />
    </Table>
  );
}

function isEmptyContent(content: ReactNode): boolean {
  return content === "" || content === null || content === undefined || content === false;
}

/** A click on an action, or in a menu that it opened, does not open the row. */
function isAction(target: EventTarget): boolean {
  return (
    target instanceof Element && (target.closest("[data-actions]") !== null || target.closest("[role=row]") === null)
  );
}

/** A search field, debounced by `useSearch`; `/` focuses it, Escape clears it. */
export function SearchField(props: SearchFieldProps) {
  const t = useMessages(messages);
  const input = useRef<HTMLInputElement>(null);
  const label = props.placeholder ?? t("search");
  useShortcut(shortcuts.search, () => input.current?.focus());
  return (
    <SearchBox>
      <Search aria-hidden size={16} />
      <Input
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts={shortcuts.search}
        placeholder={label}
        maxLength={maxSearchLetters}
        value={props.text}
        onChange={(event) => props.setText(event.target.value)}
        onKeyDown={(event) => isLeaveKey(event) && props.setText("")}
      />
      {props.text && (
        <span>
          <IconButton label={t("clear")} size="small" onClick={() => props.setText("")}>
            <X />
          </IconButton>
        </span>
      )}
    </SearchBox>
  );
}

function LoadingRows({ columns }: { readonly columns: number }) {
  return (
    <Table aria-hidden style={{ "--tracks": `repeat(${columns}, minmax(0, 1fr))` } as Record<string, string>}>
      {Array.from({ length: 8 }, (_, row) => (
        <Row key={row}>
          {Array.from({ length: columns }, (__, column) => (
            <Skeleton key={column} style={{ width: `${40 + ((row * 3 + column * 5) % 5) * 10}%` }} />
          ))}
        </Row>
      ))}
    </Table>
  );
}

const Actions = styled("div")({ display: "flex", gap: 8, [media.phone]: { gap: 6 } });
const Scroller = styled("div")({ flex: 1, minHeight: 0, overflow: "auto" });

const SearchBox = styled("div")({
  position: "relative",
  // the longest placeholder is "Buscar por nombre o correo"
  width: 264,
  "& > svg": { position: "absolute", left: 10, top: 10, color: color.ink2, pointerEvents: "none" },
  "& input": { paddingLeft: 32, paddingRight: 32, appearance: "none" },
  "& input::-webkit-search-cancel-button": { display: "none" },
  "& > span": { position: "absolute", right: 4, top: 4, display: "inline-flex" },
  [media.coarse]: { "& > svg": { top: 14 }, "& > span": { right: 0, top: 0 } },
  [media.phone]: { width: "100%", order: 2 },
});

// one grid for all rows, so that titles and cells of a column have the same width
const Table = styled("div")({
  display: "grid",
  gridTemplateColumns: "var(--tracks)",
  columnGap: 16,
  minWidth: 0,
  fontSize: 13,
  [media.phone]: { display: "block" },
});

const line = {
  display: "grid",
  gridColumn: "1 / -1",
  gridTemplateColumns: "subgrid",
  alignItems: "center",
  padding: "0 20px",
  borderBottom: `1px solid ${color.line}`,
  "& > [data-align='right']": { textAlign: "right" },
} as const;

const Titles = styled("div")({
  ...line,
  position: "sticky",
  top: 0,
  zIndex: 1,
  height: 36,
  backgroundColor: color.panel,
  fontSize: 12,
  fontWeight: 500,
  color: color.ink2,
});

const Row = styled("div")({
  ...line,
  minHeight: size.row,
  "& > span": { minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap", textAlign: "left" },
  "&[data-opens]": { cursor: "pointer" },
  "&:hover": { backgroundColor: color.hover },
  "&[data-tone='yellow']": { backgroundColor: color.note },
  "&[data-tone='orange']": { backgroundColor: `color-mix(in srgb, #f07b16 26%, ${color.panel})` },
  "&[data-tone='red']": { backgroundColor: `color-mix(in srgb, ${color.danger} 24%, ${color.panel})` },
  "&:focus-visible": { outlineOffset: -2 },
  "& > [data-actions]": { display: "flex", justifyContent: "flex-end", overflow: "visible" },
  "@media (hover: hover)": {
    "& > [data-actions]": { opacity: 0 },
    "&:hover > [data-actions], &:focus-within > [data-actions]": { opacity: 1 },
  },
  // a card: the first cell beside the actions, then one line per cell with its title
  [media.phone]: {
    gridTemplateColumns: "minmax(0, 1fr) auto",
    gap: "4px 8px",
    padding: "8px 4px 10px 12px",
    "& > span": { whiteSpace: "normal", overflowWrap: "anywhere" },
    "& > span:first-of-type": { gridRow: 1, fontSize: 14, fontWeight: 500 },
    "& > [role=cell]:not(:first-of-type):not([data-actions])": {
      gridColumn: "1 / -1",
      display: "grid",
      gridTemplateColumns: "96px minmax(0, 1fr)",
      alignItems: "baseline",
      gap: 8,
      // align with the first line of the card, whose buttons have their own padding
      paddingRight: 8,
      textAlign: "left",
      "& > small": { fontSize: 12, color: color.ink2 },
    },
    "& > [data-actions]": { gridRow: 1, gridColumn: 2, alignSelf: "start" },
  },
});

const messages = defineMessages({
  pt: {
    search: "Buscar",
    clear: "Limpar busca",
    actions: "Ações",
    nothing: "Nada encontrado",
    nothingText: "Nenhum resultado para “{text}”. Tente outras palavras.",
    loadingMore: "Carregando mais",
  },
  en: {
    search: "Search",
    clear: "Clear search",
    actions: "Actions",
    nothing: "Nothing found",
    nothingText: "No results for “{text}”. Try other words.",
    loadingMore: "Loading more",
  },
  es: {
    search: "Buscar",
    clear: "Borrar búsqueda",
    actions: "Acciones",
    nothing: "Nada encontrado",
    nothingText: "Sin resultados para “{text}”. Pruebe otras palabras.",
    loadingMore: "Cargando más",
  },
});

import { Plus } from "lucide-react";
import type { Language } from "@prosa/contract/i18n";
import { useState, type ReactNode } from "react";
import { useSearch } from "#web/lib/browser/hooks.ts";
import { useOpenedBy } from "#web/lib/routing/useOpenedBy.ts";
import { fill, useLanguage, useMessages, type Message } from "#web/lib/text/i18n.ts";
import { recordMessages } from "#web/lib/records/records.i18n.ts";
import type { RecordSource, Row } from "#web/lib/records/resource.ts";
import { Button } from "./Button.tsx";
import { ListScreen, type ListScreenProps } from "./ListScreen.tsx";
import { RecordActions } from "./RecordActions.tsx";
import { EmptyState } from "./states.tsx";

/** Keys of a noun's `*.i18n.ts` that its list needs. */
interface RecordTexts {
  readonly title: Message;
  readonly add: Message;
  /** Accessible name of a row, with its `{name}`: "Editar {name}". */
  readonly edit: Message;
  /** Title and text of the list without rows. */
  readonly empty: Message;
  readonly emptyText: Message;
  /** The consequences of deleting, with `{name}` and, if the list has a `deleteCount`, `{count}`. */
  readonly deleteText: Message;
  /** Placeholder of the search field. A list without it has no search. */
  readonly search?: Message;
  /** Confirmation and toast of a deletion. Without them: the texts of specification 2 section 8, for a failed load too. */
  readonly deleteTitle?: Message;
  readonly deleted?: Message;
}

export interface RecordListProps<T extends Row> extends Pick<
  ListScreenProps<T>,
  "columns" | "isPart" | "rowTone" | "moreActions"
> {
  /** Fetches and deletes the rows: `createResource` or `createUnpagedResource`. */
  readonly resource: RecordSource<T>;
  readonly texts: Readonly<Record<Language, RecordTexts>>;
  /** Icon of the list without rows. */
  readonly icon: ReactNode;
  /** What `{name}` is in the texts. */
  readonly nameOf: (row: T) => string;
  /** The dialog that adds a row, or edits the given one. */
  readonly form: (row: T | undefined, onClose: () => void) => ReactNode;
  /** What `{count}` is in the text of a deletion. */
  readonly deleteCount?: (row: T) => number;
  /** The consequences of deleting a row, or a function that asks for them. Default: the text of all rows. */
  readonly deleteTextOf?: (row: T) => string | (() => Promise<string>);
  /** Rows that cannot be deleted. */
  readonly isKept?: (row: T) => boolean;
  /** What a click on a row opens, with the accessible name of the row. Default: the dialog that edits it. */
  readonly opens?: { readonly onOpen: (row: T) => void; readonly label: (row: T) => string };
  /** More buttons of a row, before edit and delete. */
  readonly rowActions?: (row: T) => ReactNode;
}

/**
 * The screen of an administrative resource: a list with search and pages, a button and a dialog to add, edit by a click on
 * a row, delete after a confirmation. The query `?open=new` opens the dialog that adds. ListScreen shows the loading, empty and error states.
 */
export function RecordList<T extends Row>(props: RecordListProps<T>) {
  const { resource, nameOf, deleteCount } = props;
  const record = useMessages(recordMessages);
  const language = useLanguage();
  const texts = props.texts[language];
  const search = useSearch();
  const list = resource.useList(texts.search === undefined ? {} : { searchParam: search.asked });
  const remove = resource.useRemove();
  const [isAdding, setAdding] = useOpenedBy("new");
  const [edited, setEdited] = useState<T>();
  const close = () => {
    setAdding(false);
    setEdited(undefined);
  };

  const text = (message: Message) => fill(message, {}, language);
  const textOf = (message: Message, row: T) =>
    fill(message, { name: nameOf(row), ...(deleteCount && { count: deleteCount(row) }) }, language);
  const add = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setAdding(true)}>
      {text(texts.add)}
    </Button>
  );
  return (
    <>
      <ListScreen
        title={text(texts.title)}
        isPart={props.isPart}
        {...list}
        errorTitle={texts.deleteTitle === undefined ? record("loadFailed") : undefined}
        columns={props.columns}
        rowTone={props.rowTone}
        search={texts.search === undefined ? undefined : { ...search, placeholder: text(texts.search) }}
        onOpen={props.opens?.onOpen ?? setEdited}
        openLabel={props.opens?.label ?? ((row) => textOf(texts.edit, row))}
        rowActions={(row) => (
          <RecordActions
            id={row.id}
            editLabel={textOf(texts.edit, row)}
            onEdit={() => setEdited(row)}
            isKept={props.isKept?.(row)}
            deleteTitle={texts.deleteTitle && textOf(texts.deleteTitle, row)}
            deleteText={props.deleteTextOf?.(row) ?? textOf(texts.deleteText, row)}
            deletedText={texts.deleted && text(texts.deleted)}
            remove={remove}
          >
            {props.rowActions?.(row)}
          </RecordActions>
        )}
        moreActions={props.moreActions}
        action={add}
        empty={<EmptyState icon={props.icon} title={text(texts.empty)} text={text(texts.emptyText)} action={add} />}
      />
      {(isAdding || edited) && props.form(edited, close)}
    </>
  );
}

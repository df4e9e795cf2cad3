import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { fileListChoices } from "./files.api.ts";
import { fileListMessages } from "./files.i18n.ts";

/** Selects one of the company's file lists, or none. */
export function FileListField(props: {
  readonly value: number | null;
  readonly onChange: (id: number | null) => void;
  /** Default: when it is sent with an option of the bot. */
  readonly hint?: string;
}) {
  const { value, onChange } = props;
  const t = useMessages(fileListMessages);
  const query = useQuery(fileListChoices);
  const lists = query.isFetching ? undefined : query.data;
  const isGone = value !== null && lists !== undefined && !lists.some(({ id }) => id === value);
  // It was deleted while the form is open: clear it, so that saving does not refer to it.
  useEffect(() => {
    if (isGone) {
      onChange(null);
    }
  }, [isGone, onChange]);

  return (
    <SelectField
      label={t("fileList")}
      hint={props.hint ?? t("fileListHint")}
      isOptional
      value={lists === undefined ? "" : (value ?? "")}
      disabled={lists === undefined}
      onChange={({ target }) => onChange(target.value === "" ? null : Number(target.value))}
    >
      <option value="">{t("noFileList")}</option>
      {lists?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

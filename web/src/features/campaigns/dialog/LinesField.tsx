import { useMessages } from "#web/lib/text/i18n.ts";
import { CheckList } from "#web/ui/fields/CheckList.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { dialogMessages } from "./dialog.i18n.ts";

/** The lines that share the contacts; a company with one line has no choice, and sees only which one it is. */
export function LinesField(props: {
  readonly lines: readonly { readonly id: number; readonly name: string }[];
  readonly chosen: readonly number[];
  readonly error: string | undefined;
  readonly onChange: (chosen: number[]) => void;
}) {
  const { lines, ...field } = props;
  const t = useMessages(dialogMessages);
  if (lines.length === 0) {
    return <Note role={props.error === undefined ? "note" : "alert"}>{t("noLines")}</Note>;
  }
  return (
    <CheckList
      {...field}
      label={t("lines")}
      note={lines.length > 1 ? t("linesHint") : undefined}
      items={lines.map(({ id, name }) => ({ id, name }))}
    />
  );
}

const Note = styled("p")({
  padding: "8px 12px",
  borderRadius: 8,
  backgroundColor: color.note,
  fontSize: 13,
  color: color.ink,
});

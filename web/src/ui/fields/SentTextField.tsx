import type { UnknownVariable } from "@prosa/contract/unknown-variables";
import { useRef, type ComponentProps, type ReactNode } from "react";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { EmojiButton } from "./EmojiButton.tsx";
import { TextArea } from "./Field.tsx";
import { styled } from "#web/ui/styled.ts";
import { insertAtCursor, replaceInField } from "./textCursor.ts";
import { color, media, size } from "#web/ui/tokens.ts";

/** Of many unknown variables the first are named; correcting them shows the next. */
const mostWarnings = 3;

/**
 * A text that the product sends: a text area with emoji, a picker of variables and a warning of unknown ones (B-05). Takes
 * what `TextArea` takes. With `readOnly` the tools are away.
 */
export function SentTextField({
  unknown,
  picker,
  ...field
}: ComponentProps<typeof TextArea> & {
  /** What stands in the text as a variable and is none. */
  readonly unknown: readonly UnknownVariable[];
  /** The button that inserts a variable at the cursor. */
  readonly picker: (insert: (token: string) => void) => ReactNode;
}) {
  const t = useMessages(messages);
  const root = useRef<HTMLDivElement>(null);
  const area = () => root.current!.querySelector("textarea")!;
  const insert = (inserted: string) => insertAtCursor(area(), inserted);

  return (
    <Root ref={root}>
      <TextArea {...field} />
      {field.readOnly !== true && (
        <Tools role="group" aria-label={t("insertInto", { field: field.label })}>
          <EmojiButton onChoose={insert} />
          {picker(insert)}
        </Tools>
      )}
      <div role="status">
        {unknown.slice(0, mostWarnings).map(({ token, nearest }) => (
          <Warning key={token}>
            <span>{t("unknown", { token })}</span>
            {nearest !== undefined && (
              <button type="button" onClick={() => replaceInField(area(), token, nearest)}>
                {t("replaceBy", { token: nearest })}
              </button>
            )}
          </Warning>
        ))}
      </div>
    </Root>
  );
}

const Root = styled("div")({
  position: "relative",
  // The tools lie beside the label, which breaks before them.
  "& label": { paddingRight: 80 },
  [media.coarse]: { "& label": { alignContent: "end", minHeight: 40, paddingRight: 96 } },
});
const Tools = styled("div")({
  position: "absolute",
  top: -13,
  right: 0,
  display: "flex",
  [media.coarse]: { top: 0 },
});
const Warning = styled("p")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "space-between",
  gap: "0 12px",
  marginTop: 4,
  padding: "2px 10px",
  borderRadius: 8,
  backgroundColor: color.note,
  color: color.warningInk,
  fontSize: 12,
  lineHeight: 1.35,
  "& span": { minWidth: 0, padding: "5px 0", overflowWrap: "anywhere" },
  "& button": {
    minHeight: 28,
    padding: 0,
    border: 0,
    background: "none",
    color: color.ink,
    fontWeight: 600,
    textDecoration: "underline",
    textUnderlineOffset: 2,
    cursor: "pointer",
    [media.coarse]: { minHeight: size.finger },
  },
});

const messages = defineMessages({
  pt: {
    insertInto: "Inserir em: {field}",
    unknown: "{token} não é uma variável. O cliente recebe como está escrito.",
    replaceBy: "Usar {token}",
  },
  en: {
    insertInto: "Insert into: {field}",
    unknown: "{token} is not a variable. The customer receives it as written.",
    replaceBy: "Use {token}",
  },
  es: {
    insertInto: "Insertar en: {field}",
    unknown: "{token} no es una variable. El cliente la recibe tal como está escrita.",
    replaceBy: "Usar {token}",
  },
});

import { fileListRules } from "@prosa/contract/files";
import { ArrowDown, ArrowUp, FileText, Paperclip, Plus, RefreshCw, X } from "lucide-react";
import { useId, useRef } from "react";
import { newId } from "#web/lib/browser/random.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { Input } from "#web/ui/fields/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import type { OptionValues } from "./files.api.ts";
import { fileListMessages } from "./files.i18n.ts";

/** The files of a list: add several at once, each with its caption; order, replace, remove. */
export function FileOptions(props: {
  readonly options: readonly OptionValues[];
  readonly onChange: (options: readonly OptionValues[]) => void;
}) {
  const { options, onChange } = props;
  const t = useMessages(fileListMessages);
  const titleId = useId();
  const picker = useRef<HTMLInputElement>(null);
  const isFull = options.length >= fileListRules.maxOptions;
  const add = (files: readonly File[]) => {
    const added = files.slice(0, fileListRules.maxOptions - options.length).map(optionOf);
    onChange([...options, ...added]);
  };
  const change = (key: string, changed: Partial<OptionValues>) =>
    onChange(options.map((option) => (option.key === key ? { ...option, ...changed } : option)));
  const move = (from: number, to: number) => {
    const moved = options.toSpliced(from, 1);
    onChange(moved.toSpliced(to, 0, ...options.slice(from, from + 1)));
  };

  return (
    <Root aria-labelledby={titleId}>
      <h3 id={titleId}>{t("files")}</h3>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t("addFiles")}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // so that choosing the same file again fires a change
          target.value = "";
          add(files);
        }}
      />
      {options.length === 0 && <small>{t("filesEmpty")}</small>}
      {options.length > 0 && (
        <ol>
          {options.map((option, index) => (
            <OptionRow
              key={option.key}
              option={option}
              position={index + 1}
              onChange={(changed) => change(option.key, changed)}
              onUp={index > 0 ? () => move(index, index - 1) : undefined}
              onDown={index < options.length - 1 ? () => move(index, index + 1) : undefined}
              onRemove={() => onChange(options.filter(({ key }) => key !== option.key))}
            />
          ))}
        </ol>
      )}
      <div>
        <Button icon={<Plus size={15} />} disabled={isFull} onClick={() => picker.current?.click()}>
          {t("addFiles")}
        </Button>
      </div>
      {isFull && <small>{t("tooMany", { count: fileListRules.maxOptions })}</small>}
    </Root>
  );
}

interface RowProps {
  readonly option: OptionValues;
  /** From 1. */
  readonly position: number;
  readonly onChange: (changed: Partial<OptionValues>) => void;
  /** Undefined at the edge. */
  readonly onUp: (() => void) | undefined;
  readonly onDown: (() => void) | undefined;
  readonly onRemove: () => void;
}

function OptionRow({ option, position, onChange, onUp, onDown, onRemove }: RowProps) {
  const t = useMessages(fileListMessages);
  const picker = useRef<HTMLInputElement>(null);
  const { file, stored } = option;
  const name = file?.name ?? stored?.name ?? t("position", { position });
  return (
    <li>
      <Named>
        <FileText aria-hidden size={16} />
        {file && <span title={name}>{name}</span>}
        {!file && stored && (
          <a href={stored.url} target="_blank" rel="noreferrer" title={name}>
            {name}
          </a>
        )}
        {!file && !stored && <small>{t("noFile")}</small>}
        <input
          ref={picker}
          type="file"
          hidden
          aria-label={t("chooseFile")}
          onChange={({ target }) => {
            const [chosen] = target.files ?? [];
            target.value = "";
            if (chosen) {
              onChange({ file: chosen });
            }
          }}
        />
        <Tools>
          <IconButton
            size="small"
            label={t(file || stored ? "replaceFile" : "chooseFile")}
            onClick={() => picker.current?.click()}
          >
            {file || stored ? <RefreshCw /> : <Paperclip />}
          </IconButton>
          <IconButton size="small" label={t("moveUp", { name })} disabled={!onUp} onClick={onUp}>
            <ArrowUp />
          </IconButton>
          <IconButton size="small" label={t("moveDown", { name })} disabled={!onDown} onClick={onDown}>
            <ArrowDown />
          </IconButton>
          <IconButton size="small" label={t("takeOff", { name })} onClick={onRemove}>
            <X />
          </IconButton>
        </Tools>
      </Named>
      <Input
        aria-label={t("caption", { position })}
        placeholder={t("captionPlaceholder")}
        maxLength={fileListRules.maxCaption}
        autoComplete="off"
        value={option.name}
        onChange={({ target }) => onChange({ name: target.value })}
      />
    </li>
  );
}

function optionOf(file: File): OptionValues {
  return { key: newId(), id: undefined, name: "", stored: null, file };
}

const Root = styled("section")({
  display: "flex",
  flexDirection: "column",
  gap: 8,
  minWidth: 0,
  "& > h3": { fontSize: 13, fontWeight: 600 },
  "& > small": { fontSize: 12, color: color.ink2 },
  "& > ol": { listStyle: "none", margin: 0, padding: 0, display: "flex", flexDirection: "column", gap: 8 },
  "& li": {
    display: "flex",
    flexDirection: "column",
    gap: 6,
    minWidth: 0,
    padding: "4px 8px 8px 10px",
    border: `1px solid ${color.line}`,
    borderRadius: 8,
  },
});
const Named = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  minWidth: 0,
  fontSize: 13,
  "& > svg": { flex: "none" },
  "& > span:first-of-type, & > a, & > small": {
    flex: 1,
    minWidth: 0,
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
  },
  "& > small": { color: color.ink2 },
  // the buttons are as large as a finger there: the name stands above them
  [media.coarse]: { flexWrap: "wrap", "& > a, & > span:first-of-type, & > small": { flexBasis: "calc(100% - 32px)" } },
});
const Tools = styled("div")({ display: "flex", flex: "none", marginLeft: "auto" });

import type { CampaignVariable } from "@prosa/contract/campaign-texts";
import { Plus, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { Input, TextField } from "#web/ui/fields/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { configMessages } from "./config.i18n.ts";
import { keyOf, keyProblem } from "./variables.ts";

/** The company's own variables: a key is there once (specification 2 section 5). */
export function VariableList(props: {
  readonly variables: readonly CampaignVariable[];
  readonly onChange: (variables: readonly CampaignVariable[]) => void;
}) {
  const { variables, onChange } = props;
  const t = useMessages(configMessages);
  return (
    <>
      {variables.length === 0 ? (
        <p>{t("noVariables")}</p>
      ) : (
        <List>
          {variables.map(({ key, value }, index) => (
            <li key={key}>
              <code title={`{${key}}`}>{`{${key}}`}</code>
              <Input
                aria-label={t("valueOf", { key })}
                value={value}
                maxLength={1_000}
                onChange={({ target }) => onChange(variables.with(index, { key, value: target.value }))}
              />
              <IconButton
                label={t("removeVariable", { key })}
                onClick={() => onChange(variables.filter((other) => other.key !== key))}
              >
                <Trash2 />
              </IconButton>
            </li>
          ))}
        </List>
      )}
      <NewVariable variables={variables} onAdd={(added) => onChange([...variables, added])} />
    </>
  );
}

function NewVariable(props: {
  readonly variables: readonly CampaignVariable[];
  readonly onAdd: (variable: CampaignVariable) => void;
}) {
  const t = useMessages(configMessages);
  const [typed, setTyped] = useState({ key: "", value: "" });
  const [problem, setProblem] = useState<ReturnType<typeof keyProblem>>();
  const keyField = useRef<HTMLInputElement>(null);
  const add = () => {
    const found = keyProblem(typed.key, props.variables);
    setProblem(found);
    if (found === undefined) {
      props.onAdd({ key: keyOf(typed.key), value: typed.value.trim() });
      setTyped({ key: "", value: "" });
    }
    keyField.current?.focus();
  };
  return (
    <Adding
      onKeyDown={(event) => {
        if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
          event.preventDefault();
          add();
        }
      }}
    >
      <TextField
        ref={keyField}
        label={t("key")}
        hint={t("keyHint")}
        autoComplete="off"
        maxLength={44}
        value={typed.key}
        error={problem && t(problem)}
        onChange={({ target }) => {
          setProblem(undefined);
          setTyped({ ...typed, key: target.value });
        }}
      />
      <TextField
        label={t("value")}
        autoComplete="off"
        maxLength={1_000}
        value={typed.value}
        onChange={({ target }) => setTyped({ ...typed, value: target.value })}
      />
      <Button icon={<Plus size={16} />} onClick={add}>
        {t("addVariable")}
      </Button>
    </Adding>
  );
}

const List = styled("ul")({
  listStyle: "none",
  display: "flex",
  flexDirection: "column",
  gap: 8,
  margin: 0,
  padding: 0,
  "& > li": {
    display: "grid",
    gridTemplateColumns: "minmax(90px, 200px) minmax(0, 1fr) auto",
    alignItems: "center",
    gap: 8,
    [media.phone]: {
      gridTemplateColumns: "minmax(0, 1fr) auto",
      "& > code": { gridColumn: "1 / -1" },
    },
  },
  "& code": {
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
    fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
    fontSize: 13,
    color: color.ink,
  },
});
const Adding = styled("div")({
  display: "grid",
  gridTemplateColumns: "200px minmax(0, 1fr) auto",
  alignItems: "start",
  gap: 12,
  paddingTop: 12,
  borderTop: `1px solid ${color.line}`,
  // in line with the fields, below their labels
  "& > button": { marginTop: 23 },
  [media.phone]: { gridTemplateColumns: "minmax(0, 1fr)", "& > button": { marginTop: 0 } },
});

import { variableNames, variableToken, type VariableName, type VariableValues } from "@prosa/contract/variables";
import { Braces } from "lucide-react";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { ActionMenu } from "#web/ui/Menu.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/tokens.ts";
import type { Align } from "#web/ui/useOpener.ts";

/** The picker of variables (M-13, B-05): each with its meaning, and the value that it has or would have. */
export function VariableButton(props: {
  /** Called only while the picker is open. */
  readonly values: () => VariableValues;
  readonly onChoose: (name: VariableName) => void;
  readonly align?: Align;
}) {
  const t = useMessages(messages);
  return (
    <ActionMenu
      align={props.align ?? "end"}
      actions={variableNames.map((name) => ({
        key: name,
        label: <Choice name={name} values={props.values} />,
        onSelect: () => props.onChoose(name),
      }))}
      opener={(opener) => (
        <IconButton label={t("variables")} {...opener}>
          <Braces />
        </IconButton>
      )}
    />
  );
}

function Choice({ name, values }: { readonly name: VariableName; readonly values: () => VariableValues }) {
  const t = useMessages(messages);
  return <VariableRow meaning={t(name)} token={variableToken(name)} value={values()[name]} />;
}

/** A variable in a picker: its meaning, how it is written, and its value. */
export function VariableRow(props: { readonly meaning: string; readonly token: string; readonly value: string }) {
  const t = useMessages(messages);
  return (
    <Row>
      <span>{props.meaning}</span>
      <code>{props.token}</code>
      <small>{props.value || t("empty")}</small>
    </Row>
  );
}

const Row = styled("span")({
  display: "grid",
  gridTemplateColumns: "auto minmax(0, 1fr)",
  columnGap: 16,
  lineHeight: "17px",
  "& code": { gridRow: 2, fontSize: 12, color: color.ink2 },
  "& small": {
    gridArea: "1 / 2 / 3 / 3",
    alignSelf: "center",
    justifySelf: "end",
    maxWidth: "100%",
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
    fontSize: 12,
    color: color.ink2,
  },
});

const messages = defineMessages({
  pt: {
    variables: "Variáveis",
    firstName: "Primeiro nome",
    name: "Nome",
    greeting: "Saudação",
    protocol: "Protocolo",
    date: "Data",
    hour: "Hora",
    queue: "Fila",
    agent: "Atendente",
    company: "Empresa",
    empty: "vazia",
  },
  en: {
    variables: "Variables",
    firstName: "First name",
    name: "Name",
    greeting: "Greeting",
    protocol: "Protocol",
    date: "Date",
    hour: "Time",
    queue: "Queue",
    agent: "Agent",
    company: "Company",
    empty: "empty",
  },
  es: {
    variables: "Variables",
    firstName: "Nombre de pila",
    name: "Nombre",
    greeting: "Saludo",
    protocol: "Protocolo",
    date: "Fecha",
    hour: "Hora",
    queue: "Cola",
    agent: "Agente",
    company: "Empresa",
    empty: "vacía",
  },
});

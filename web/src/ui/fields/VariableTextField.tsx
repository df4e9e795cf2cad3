import { unknownVariables } from "@prosa/contract/unknown-variables";
import { variableToken } from "@prosa/contract/variables";
import type { ComponentProps } from "react";
import { useVariableValues } from "#web/lib/session/useVariableValues.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import type { TextArea } from "./Field.tsx";
import { SentTextField } from "./SentTextField.tsx";
import { VariableButton } from "./VariableButton.tsx";

/**
 * A text with the variables of a conversation. Takes what `TextArea` takes; `text` is the current value:
 * `text={form.watch("message")} {...form.register("message")}`.
 */
export function VariableTextField({ text, ...field }: ComponentProps<typeof TextArea> & { readonly text: string }) {
  const t = useMessages(messages);
  const valuesOf = useVariableValues();
  /** Of an invented conversation. */
  const sampleValues = () =>
    valuesOf({ contactName: "Camila Souza", protocol: "2026010109300012345", queueName: t("sampleQueue") });
  return (
    <SentTextField
      {...field}
      unknown={unknownVariables(text)}
      picker={(insert) => <VariableButton values={sampleValues} onChoose={(name) => insert(variableToken(name))} />}
    />
  );
}

const messages = defineMessages({
  pt: { sampleQueue: "Vendas" },
  en: { sampleQueue: "Sales" },
  es: { sampleQueue: "Ventas" },
});

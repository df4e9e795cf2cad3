import { useEffect, useRef, useState, type ReactNode } from "react";
import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { styled } from "./styled.ts";
import { Tabs } from "./Tabs.tsx";

export interface FormTab<V extends FieldValues> {
  readonly key: string;
  readonly label: string;
  /** The fields that stand in it: a tab with a wrong one comes to the front. */
  readonly fields: readonly Path<V>[];
  readonly panel: ReactNode;
}

/** A long form in parts. What is typed in a part stays, and what is wrong is never in one that nobody sees. */
export function FormTabs<V extends FieldValues>(props: {
  readonly label: string;
  readonly form: UseFormReturn<V>;
  readonly tabs: readonly FormTab<V>[];
}) {
  const { form, tabs } = props;
  const { errors, submitCount } = form.formState;
  const [selected, setSelected] = useState(tabs[0]?.key ?? "");
  const panels = useRef<HTMLDivElement>(null);
  const wrong = tabs.filter(({ fields }) => fields.some((name) => errors[name] !== undefined));
  const [triedToSave, setTriedToSave] = useState(submitCount);

  // At each try to save, not at each letter: nobody is led away from the field that they are mending.
  if (triedToSave !== submitCount) {
    setTriedToSave(submitCount);
    if (wrong.length > 0 && !wrong.some(({ key }) => key === selected)) {
      setSelected(wrong[0]!.key);
    }
  }
  useEffect(() => {
    panels.current?.querySelector<HTMLElement>("[role=tabpanel]:not([hidden]) [aria-invalid=true]")?.focus();
  }, [triedToSave]);

  return (
    <div ref={panels}>
      {tabs.length > 1 && <Tabs label={props.label} tabs={tabs} selected={selected} onSelect={setSelected} />}
      {tabs.map(({ key, label, panel }) => (
        <Panel key={key} role="tabpanel" aria-label={label} hidden={key !== selected && tabs.length > 1}>
          {panel}
        </Panel>
      ))}
    </div>
  );
}

const Panel = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 16,
  paddingTop: 16,
  "&[hidden]": { display: "none" },
});

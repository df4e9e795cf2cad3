import { useEffect, useRef, useState, type ReactNode } from "react";
import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { PanelTabs, TabList, TabPanel } from "#web/ui/PanelTabs.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, layer } from "#web/ui/tokens.ts";

export interface FormTab<V extends FieldValues> {
  readonly key: string;
  readonly label: string;
  /** The fields of this tab: it is selected if saving fails on one of them. */
  readonly fields: readonly Path<V>[];
  readonly panel: ReactNode;
}

/** A long form in tabs. Hidden tabs keep their values, and a failed save shows a tab with an error. */
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

  // Switch tabs at each try to save, not at each keystroke, so that correcting a field does not move the user away.
  if (triedToSave !== submitCount) {
    setTriedToSave(submitCount);
    if (wrong.length > 0 && !wrong.some(({ key }) => key === selected)) {
      setSelected(wrong[0]!.key);
    }
  }
  useEffect(() => {
    panels.current?.querySelector<HTMLElement>("[role=tabpanel]:not([hidden]) [aria-invalid=true]")?.focus();
  }, [triedToSave]);

  const select = (key: string) => {
    setSelected(key);
    // All tabs have the dialog's scroller: one that is chosen begins at its top, not where the one before was.
    panels.current?.scrollIntoView({ block: "start" });
  };

  return (
    <Root ref={panels}>
      <PanelTabs selected={selected} onSelect={select}>
        {tabs.length > 1 && (
          <Head>
            <TabList label={props.label} tabs={tabs} />
          </Head>
        )}
        {tabs.map(({ key, label, panel }) => (
          // the fields are the next stop of the Tab key, not the panel
          <Panel key={key} value={key} keepMounted tabIndex={-1} {...(tabs.length === 1 && { "aria-label": label })}>
            {panel}
          </Panel>
        ))}
      </PanelTabs>
    </Root>
  );
}

// The panel before is hidden a frame later than the new one is shown, above it or below: the browser would scroll along with it.
const Root = styled("div")({ overflowAnchor: "none" });
/** Stays in view while a long form scrolls; as wide as the dialog. */
const Head = styled("div")({
  position: "sticky",
  // over the padding of the dialog's body
  top: -4,
  zIndex: layer.sticky,
  margin: "-4px -20px 0",
  padding: "0 10px",
  borderBottom: `1px solid ${color.line}`,
  backgroundColor: color.raised,
});
const Panel = styled(TabPanel)({
  display: "flex",
  flexDirection: "column",
  gap: 16,
  paddingTop: 16,
  "&[hidden]": { display: "none" },
  // no tabs above it
  "&:only-child": { paddingTop: 0 },
});

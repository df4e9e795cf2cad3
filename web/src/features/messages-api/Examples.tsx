import { useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { PanelTabs, TabList, TabPanel } from "#web/ui/PanelTabs.tsx";
import { SectionCard } from "#web/ui/SectionCard.ts";
import { CodeBlock } from "./CodeBlock.tsx";
import { exampleLanguages, exampleOf, type ExampleLanguage } from "./examples.ts";
import { messagesApiMessages } from "./messages-api.i18n.ts";

/** The call in four languages, with and without a file. */
export function Examples({ url, token }: { readonly url: string; readonly token: string }) {
  const t = useMessages(messagesApiMessages);
  const [language, setLanguage] = useState<ExampleLanguage>("curl");
  const facts = { url, token, number: "5511988887777", tokenName: t("tokenName"), fileName: t("fileName") };
  return (
    <SectionCard aria-label={t("examples")}>
      <h2>{t("examples")}</h2>
      <PanelTabs selected={language} onSelect={setLanguage}>
        <TabList label={t("examples")} tabs={exampleLanguages.map((key) => ({ key, label: key }))} />
        <TabPanel value={language} style={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 10 }}>
          <h3>{t("exampleText")}</h3>
          <CodeBlock
            label={`${t("exampleText")}, ${language}`}
            code={exampleOf(language, false, { ...facts, body: t("exampleBody") })}
          />
          <h3>{t("exampleFile")}</h3>
          <CodeBlock
            label={`${t("exampleFile")}, ${language}`}
            code={exampleOf(language, true, { ...facts, body: t("exampleCaption") })}
          />
        </TabPanel>
      </PanelTabs>
    </SectionCard>
  );
}

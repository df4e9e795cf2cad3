import { History } from "lucide-react";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";

/** A message of history: it came with an exported chat, not over a line (E-09). */
export function ImportedMark() {
  const t = useMessages(messages);
  return (
    <span role="img" aria-label={t("imported")} title={t("imported")} style={{ display: "inline-flex" }}>
      <History aria-hidden size={11} />
    </span>
  );
}

const messages = defineMessages({
  pt: { imported: "Importada" },
  en: { imported: "Imported" },
  es: { imported: "Importado" },
});

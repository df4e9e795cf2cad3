import { FileSpreadsheet } from "lucide-react";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { contactListsMessages } from "./contact-lists.i18n.ts";
import en from "./example.en.xlsx?url";
import es from "./example.es.xlsx?url";
import pt from "./example.pt.xlsx?url";

const addresses = { pt, en, es } as const;

/** Downloads the example spreadsheet of a list, in the user's language. */
function useExample(): {
  readonly label: string;
  readonly download: () => void;
  readonly href: string;
  readonly name: string;
} {
  const t = useMessages(contactListsMessages);
  const href = addresses[useLanguage()];
  const name = t("exampleFile");
  return {
    ...{ href, name, label: t("example") },
    download() {
      const link = document.createElement("a");
      Object.assign(link, { href, download: name }).click();
    },
  };
}

export function ExampleLink() {
  const { href, name, label } = useExample();
  return (
    <Anchor href={href} download={name}>
      <FileSpreadsheet aria-hidden size={15} />
      {label}
    </Anchor>
  );
}

export function ExampleButton() {
  const { download, label } = useExample();
  return (
    <IconButton label={label} onClick={download}>
      <FileSpreadsheet />
    </IconButton>
  );
}

const Anchor = styled("a")({
  display: "inline-flex",
  alignItems: "center",
  gap: 6,
  minHeight: 32,
  fontWeight: 500,
  color: color.accent,
});

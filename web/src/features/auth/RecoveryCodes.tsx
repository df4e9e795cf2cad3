import { Copy } from "lucide-react";
import { useRef } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { useCopy } from "#web/ui/useCopy.ts";
import { twoFactorMessages } from "./two-factor.i18n.ts";

/**
 * Shows the recovery codes that a request answers; none where those from before are still good. Takes the request, since the server has
 * them before the answer is here. Rejects as it does.
 */
export type ShowCodes = (request: Promise<{ readonly recoveryCodes: readonly string[] }>) => Promise<void>;

/** The recovery codes, this once: the server keeps their hashes. */
export function RecoveryCodes({ codes, onKept }: { readonly codes: readonly string[]; readonly onKept: () => void }) {
  const t = useMessages(twoFactorMessages);
  const copy = useCopy();
  const list = useRef<HTMLUListElement>(null);
  return (
    <Column>
      <h3>{t("codesTitle")}</h3>
      <p>{t("codesText")}</p>
      <ul ref={list}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <footer>
        <Button kind="primary" size="large" autoFocus onClick={onKept}>
          {t("keptCodes")}
        </Button>
        <Button
          size="large"
          icon={<Copy size={16} />}
          onClick={() => void copy(codes.join("\n"), t("copied"), list.current)}
        >
          {t("copy")}
        </Button>
      </footer>
    </Column>
  );
}

const Column = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 12,
  marginTop: 12,
  "& h3": { fontSize: 15, fontWeight: 600 },
  "& ul": {
    display: "grid",
    gridTemplateColumns: "repeat(auto-fill, minmax(120px, 1fr))",
    gap: "6px 16px",
    margin: 0,
    padding: 12,
    listStyle: "none",
    borderRadius: 8,
    border: `1px solid ${color.line}`,
    backgroundColor: color.background,
  },
  "& code": { fontSize: 14, userSelect: "all" },
  "& footer": { display: "flex", flexWrap: "wrap", gap: 8 },
});

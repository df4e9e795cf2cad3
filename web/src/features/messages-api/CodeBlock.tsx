import { Copy } from "lucide-react";
import { useRef } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { useCopy } from "#web/ui/useCopy.ts";
import { messagesApiMessages } from "./messages-api.i18n.ts";

/** Code with a button that copies it, or `copied` in its place; it scrolls sideways. */
export function CodeBlock(props: { readonly label: string; readonly code: string; readonly copied?: string }) {
  const t = useMessages(messagesApiMessages);
  const copy = useCopy();
  const code = useRef<HTMLPreElement>(null);
  return (
    <Root>
      <Code ref={code} tabIndex={0} role="group" aria-label={props.label}>
        <code>{props.code}</code>
      </Code>
      <IconButton
        size="small"
        label={`${t("copy")}: ${props.label}`}
        onClick={() => void copy(props.copied ?? props.code, t("copied"), code.current)}
      >
        <Copy />
      </IconButton>
    </Root>
  );
}

const Root = styled("div")({
  display: "flex",
  alignItems: "flex-start",
  gap: 4,
  padding: 4,
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  backgroundColor: color.background,
});

const Code = styled("pre")({
  flex: 1,
  minWidth: 0,
  margin: 0,
  padding: 8,
  overflowX: "auto",
  fontSize: 12,
  lineHeight: 1.5,
  fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
});

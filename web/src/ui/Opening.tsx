import { useState } from "react";
import { HeldKeys } from "#web/lib/browser/typed-ahead.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { ProgressBar } from "./states.tsx";
import { styled } from "./styled.ts";
import { color, layer } from "./tokens.ts";

/** Shows at once that a click was heard, while the code of the popup is on its way: a small panel below the button. */
export function Opening({ anchor }: { readonly anchor: HTMLElement }) {
  const t = useMessages(messages);
  const [place] = useState(() => {
    const { left, bottom } = anchor.getBoundingClientRect();
    return { left: Math.max(EDGE, Math.min(left, window.innerWidth - WIDTH - EDGE)), top: bottom + 4 };
  });
  return (
    <Panel style={place}>
      <HeldKeys />
      <ProgressBar label={t("opening")} />
    </Panel>
  );
}

/** The same for a dialog: the page is darkened. */
export function OpeningDialog() {
  const t = useMessages(messages);
  return (
    <Scrim>
      <ProgressBar label={t("opening")} />
    </Scrim>
  );
}

const WIDTH = 200;
const EDGE = 8;

const Panel = styled("div")({
  position: "fixed",
  zIndex: layer.popover,
  width: WIDTH,
  padding: 16,
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  backgroundColor: color.raised,
  boxShadow: color.shadow,
});
const Scrim = styled("div")({ position: "fixed", inset: 0, zIndex: layer.popover, backgroundColor: color.scrim });

const messages = defineMessages({
  pt: { opening: "Abrindo" },
  en: { opening: "Opening" },
  es: { opening: "Abriendo" },
});

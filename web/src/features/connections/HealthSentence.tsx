import type { Connection } from "@prosa/contract/connections";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { useHealthText } from "./useHealthText.ts";

/** What a connected line may do, below its status (P-04). */
export function HealthSentence({ connection }: { readonly connection: Pick<Connection, "health"> }) {
  const { text, tone } = useHealthText(connection);
  return (
    <Sentence data-tone={tone} data-health={connection.health.state}>
      {text}
    </Sentence>
  );
}

const Sentence = styled("small")({
  display: "block",
  fontSize: 12,
  lineHeight: 1.35,
  color: color.ink2,
  whiteSpace: "normal",
  "&[data-tone='warn']": { color: color.warningInk },
  "&[data-tone='bad']": { color: color.danger },
});

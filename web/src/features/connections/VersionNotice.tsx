import { TriangleAlert } from "lucide-react";
import { useFormat } from "#web/lib/format.ts";
import { useMessages } from "#web/lib/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { useRefusedVersions } from "./connections.api.ts";
import { connectionMessages } from "./connections.i18n.ts";

/** For the operator: that WhatsApp refuses the client version, so that lines of every company wait. */
export function VersionNotice() {
  const t = useMessages(connectionMessages);
  const format = useFormat();
  const { data = [] } = useRefusedVersions();
  return data.map(({ version, nextTryAt }) => (
    <Notice role="alert" key={version}>
      <TriangleAlert size={16} aria-hidden />
      <span>{t("versionRefused", { version, at: format.time(nextTryAt) })}</span>
    </Notice>
  ));
}

const Notice = styled("p")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  margin: 0,
  padding: "10px 20px",
  backgroundColor: color.dangerSoft,
  color: color.danger,
});

import { TriangleAlert } from "lucide-react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Banner } from "#web/ui/Banner.ts";
import { useRefusedVersions } from "./connections.api.ts";
import { connectionMessages } from "./connections.i18n.ts";

/** Banner for the operator: WhatsApp refuses the client version, so that the lines of every company wait. */
export function VersionNotice() {
  const t = useMessages(connectionMessages);
  const format = useFormat();
  const { data = [] } = useRefusedVersions();
  return data.map(({ version, nextTryAt }) => (
    <Banner role="alert" key={version}>
      <TriangleAlert size={16} aria-hidden />
      <span>{t("versionRefused", { version, at: format.time(nextTryAt) })}</span>
    </Banner>
  ));
}

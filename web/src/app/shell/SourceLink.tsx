import { useMessages } from "#web/lib/text/i18n.ts";
import { appMessages } from "#web/app/app.i18n.ts";

/** The link to the source that the licence requires for network use (decision 0110); the server knows its URL. */
export function SourceLink() {
  return (
    <a href="/source" target="_blank" rel="noreferrer">
      {useMessages(appMessages)("source")}
    </a>
  );
}

import { useMessages } from "#web/lib/i18n.ts";
import { appMessages } from "./app.i18n.ts";

/** The licence offers the source to everybody who uses it over a network (decision 0110); the server knows where it is. */
export function SourceLink() {
  return (
    <a href="/source" target="_blank" rel="noreferrer">
      {useMessages(appMessages)("source")}
    </a>
  );
}

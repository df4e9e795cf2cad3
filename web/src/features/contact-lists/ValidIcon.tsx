import { CircleCheck, CircleHelp, CircleX } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { contactListsMessages } from "./contact-lists.i18n.ts";

/** Whether a number is on WhatsApp: checked and valid, checked and not, or not checked yet. */
export function ValidIcon({ isValid }: { readonly isValid: boolean | null }) {
  const t = useMessages(contactListsMessages);
  const label = t(isValid === null ? "isUnknown" : isValid ? "isValid" : "isInvalid");
  const Icon = isValid === null ? CircleHelp : isValid ? CircleCheck : CircleX;
  return (
    <Mark title={label} data-valid={isValid === null ? "unknown" : isValid}>
      <Icon size={18} role="img" aria-label={label} />
    </Mark>
  );
}

const Mark = styled("span")({
  display: "inline-grid",
  placeItems: "center",
  color: color.ink2,
  "&[data-valid=true]": { color: color.accent },
  "&[data-valid=false]": { color: color.danger },
});

import { styled } from "#web/ui/styled.ts";
import type { Contact } from "@prosa/contract/contacts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { DrawerSection, EditLink } from "#web/ui/DrawerSection.tsx";
import { color } from "#web/ui/theme.ts";
import { contactMessages } from "./contacts.i18n.ts";

/** The extra information of a contact, as pairs of name and value. */
export function ContactExtraInfo(props: {
  readonly contact: Contact; /** Absent for a group, which has no form. */
  readonly onEdit: (() => void) | undefined;
}) {
  const { contact } = props;
  const t = useMessages(contactMessages);
  return (
    <DrawerSection
      title={t("extra")}
      action={
        props.onEdit && (
          <EditLink type="button" aria-label={`${t("editVerb")}: ${t("extra")}`} onClick={props.onEdit}>
            {t("editVerb")}
          </EditLink>
        )
      }
      isEmpty={contact.extraInfo.length === 0}
      emptyText={t("noExtra")}
      isList
    >
      <Facts>
        {contact.extraInfo.map(({ name, value }, index) => (
          <div key={`${index}-${name}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </Facts>
    </DrawerSection>
  );
}

const Facts = styled("dl")({
  margin: 0,
  display: "flex",
  flexDirection: "column",
  gap: 6,
  fontSize: 13,
  "& > div": { display: "grid", gridTemplateColumns: "88px minmax(0, 1fr)", gap: 8 },
  "& dt": { color: color.ink2, overflowWrap: "anywhere" },
  "& dd": { margin: 0, overflowWrap: "anywhere" },
});

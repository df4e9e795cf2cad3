import type { Campaign } from "@prosa/contract/campaigns";
import { useQuery } from "@tanstack/react-query";
import { contactListChoices, type Audience } from "./audience.api.ts";
import type { CampaignValues } from "./campaign-form.ts";
import type { AudienceSize } from "./CampaignEstimate.tsx";
import { useSampleContacts } from "./useSampleContacts.ts";

/** Contacts to show in the preview, and how many there are. */
export function useAudience(values: CampaignValues, campaign: Campaign | undefined) {
  const chosen = values.audience === "list" ? values.contactListId : values.tagListId;
  const audience: Audience | undefined = chosen === "" ? undefined : { kind: values.audience, id: Number(chosen) };
  const sample = useSampleContacts(audience);
  const lists = useQuery(contactListChoices).data;
  return { sample, size: sizeOf() };

  function sizeOf(): AudienceSize | undefined {
    if (audience?.kind === "tag") {
      return sample.count === undefined ? undefined : { contacts: sample.count, invalid: 0, isUpperLimit: true };
    }
    const list = lists?.find(({ id }) => id === audience?.id);
    if (list !== undefined) {
      const { contactsCount, invalidCount } = list;
      return { contacts: contactsCount - invalidCount, invalid: invalidCount, isUpperLimit: false };
    }
    const known = campaign?.contactList;
    return known && known.id === audience?.id
      ? { contacts: known.contactsCount, invalid: 0, isUpperLimit: false }
      : undefined;
  }
}

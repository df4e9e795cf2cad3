/** The values of the variables in a text (M-13), with the user's own name, company and time zone. */
import { variableValues, type VariableValues } from "@prosa/contract/variables";
import { useLanguage } from "#web/lib/text/i18n.ts";
import { serverNow } from "./clock.ts";
import { useUser } from "./session.ts";

type Facts = Parameters<typeof variableValues>[0];

/** A function that gives the values for a conversation, now. */
export function useVariableValues(): (
  conversation: Pick<Facts, "contactName" | "protocol" | "queueName">,
) => VariableValues {
  const { company, name: userName } = useUser();
  const language = useLanguage();
  return (conversation) =>
    variableValues({
      ...conversation,
      userName,
      companyName: company.name,
      now: new Date(serverNow()),
      timeZone: company.timeZone,
      language,
    });
}

import { useQuery } from "@tanstack/react-query";
import type { Path, UseFormReturn } from "react-hook-form";
import { tagsOptions } from "#web/features/tags/index.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { Pills } from "#web/ui/Pills.ts";
import { styled } from "#web/ui/styled.ts";
import { contactListChoices } from "./audience.api.ts";
import type { CampaignValues } from "./campaign-form.ts";
import { dialogMessages } from "./dialog.i18n.ts";

/** Who receives a campaign: the contacts of a list, or those whose conversations have a tag. */
export function AudienceField(props: {
  readonly form: UseFormReturn<CampaignValues>;
  readonly errorOf: (name: Path<CampaignValues>) => string | undefined;
  readonly onChange: (name: "audience", value: CampaignValues["audience"]) => void;
}) {
  const { form, errorOf } = props;
  const t = useMessages(dialogMessages);
  const format = useFormat();
  const lists = useQuery(contactListChoices).data ?? [];
  const tags = useQuery(tagsOptions).data ?? [];
  const audience = form.watch("audience");
  return (
    <Root role="group" aria-label={t("audience")}>
      <Pills role="group" aria-label={t("audience")}>
        {(["list", "tag"] as const).map((kind) => (
          <button
            key={kind}
            type="button"
            aria-pressed={audience === kind}
            onClick={() => props.onChange("audience", kind)}
          >
            {t(`audience_${kind}`)}
          </button>
        ))}
      </Pills>
      {audience === "list" ? (
        <SelectField
          key="list"
          label={t("contactList")}
          {...form.register("contactListId")}
          error={errorOf("contactListId")}
        >
          <option value="">{t("choose")}</option>
          {lists.map(({ id, name, contactsCount }) => (
            <option key={id} value={id}>
              {t("listOption", { name, count: format.number(contactsCount) })}
            </option>
          ))}
        </SelectField>
      ) : (
        <SelectField
          key="tag"
          label={t("tag")}
          hint={t("tagHint")}
          {...form.register("tagListId")}
          error={errorOf("tagListId")}
        >
          <option value="">{t("choose")}</option>
          {tags.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
    </Root>
  );
}

const Root = styled("div")({ display: "flex", flexDirection: "column", gap: 8 });

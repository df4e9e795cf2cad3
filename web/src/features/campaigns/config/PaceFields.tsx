import { campaignSettingChoices } from "@prosa/contract/campaigns";
import { useMessages } from "#web/lib/text/i18n.ts";
import { FieldRow } from "#web/ui/dialogs/FormDialog.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { useDurationText } from "../campaign-words.ts";
import { sendingSeconds, type Pace } from "../estimate.ts";
import { configMessages } from "./config.i18n.ts";

const sampleContacts = 1_000;

/** The listed choices of the pace in words, and what they come to (K-08). */
export function PaceFields(props: { readonly pace: Pace; readonly onChange: (change: Partial<Pace>) => void }) {
  const { pace, onChange } = props;
  const t = useMessages(configMessages);
  const durationText = useDurationText();
  const seconds = (count: number) => (count === 0 ? t("noInterval") : t("seconds", { count }));
  const contacts = (count: number) => (count === 0 ? t("never") : t("contacts", { count }));
  const fields = [
    { name: "messageInterval", text: seconds },
    { name: "longerIntervalAfter", text: contacts },
    { name: "greaterInterval", text: seconds },
  ] as const;
  return (
    <>
      <FieldRow>
        {fields.map(({ name, text }) => (
          <SelectField
            key={name}
            label={t(name)}
            value={pace[name]}
            onChange={({ target }) => onChange({ [name]: Number(target.value) })}
          >
            {campaignSettingChoices[name].map((choice) => (
              <option key={choice} value={choice}>
                {text(choice)}
              </option>
            ))}
          </SelectField>
        ))}
      </FieldRow>
      <p role="status">{t("sample", { duration: durationText(sendingSeconds(sampleContacts, 1, pace)) })}</p>
      {pace.messageInterval === 0 && <Warning role="note">{t("fast")}</Warning>}
    </>
  );
}

const Warning = styled("p")({
  padding: "8px 12px",
  borderRadius: 8,
  backgroundColor: color.note,
  color: color.warningInk,
});

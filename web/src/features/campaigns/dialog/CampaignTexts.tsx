import type { CampaignContact, CampaignVariable } from "@prosa/contract/campaign-texts";
import { campaignRules } from "@prosa/contract/campaigns";
import { Check } from "lucide-react";
import { useEffect, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useMessages } from "#web/lib/text/i18n.ts";
import { PanelTabs, TabList, TabPanel } from "#web/ui/PanelTabs.tsx";
import { styled } from "#web/ui/styled.ts";
import { Tabs } from "#web/ui/Tabs.tsx";
import { color, visuallyHidden } from "#web/ui/theme.ts";
import { textNames, writtenVariants, type CampaignValues, type TextKind, type TextName } from "./campaign-form.ts";
import { CampaignTextField } from "./CampaignTextField.tsx";
import { dialogMessages } from "./dialog.i18n.ts";

/** Which text is edited and shown in the preview: of each kind a number from 1. */
export interface ShownText {
  readonly kind: TextKind;
  readonly message: number;
  readonly confirmationMessage: number;
}

/** The five messages in tabs and, with confirmation, the five requests (K-03, K-06). */
export function CampaignTexts(props: {
  readonly form: UseFormReturn<CampaignValues>;
  readonly errorOf: (name: TextName) => string | undefined;
  readonly shown: ShownText;
  readonly onShow: (shown: ShownText) => void;
  readonly contact: CampaignContact;
  readonly variables: readonly CampaignVariable[];
  readonly isReadOnly: boolean;
}) {
  const { form, shown, onShow, errorOf } = props;
  const t = useMessages(dialogMessages);
  const values = form.watch();
  const { kind } = shown;
  const written = writtenVariants(values, kind);
  useFailedText(form, shown, onShow);

  return (
    <Root role="group" aria-label={t("texts")}>
      {values.confirmation && (
        <Tabs<TextKind>
          label={t("texts")}
          look="pill"
          selected={kind}
          onSelect={(next) => onShow({ ...shown, kind: next })}
          tabs={(["confirmationMessage", "message"] as const).map((key) => ({ key, label: t(`kind_${key}`) }))}
        />
      )}
      <PanelTabs selected={String(shown[kind])} onSelect={(key) => onShow({ ...shown, [kind]: Number(key) })}>
        <TabList
          label={t(`kind_${kind}`)}
          tabs={textNames(kind).map((_, index) => ({
            key: String(index + 1),
            label: (
              <>
                {t("variant", { n: index + 1 })}
                {written.includes(index + 1) && (
                  <Written>
                    <Check aria-hidden size={13} />
                    <Hidden>{t("isWritten")}</Hidden>
                  </Written>
                )}
              </>
            ),
          }))}
        />
        {textNames(kind).map((name, index) => (
          <Panel key={name} value={String(index + 1)} tabIndex={-1}>
            <CampaignTextField
              label={t(kind === "message" ? "text" : "confirmationText", { n: index + 1 })}
              hint={props.isReadOnly ? undefined : t("variantsHint")}
              rows={6}
              maxLength={campaignRules.maxText}
              readOnly={props.isReadOnly}
              text={values[name]}
              contact={props.contact}
              variables={props.variables}
              {...form.register(name)}
              error={errorOf(name)}
            />
          </Panel>
        ))}
      </PanelTabs>
    </Root>
  );
}

/** Shows the first text that a try to save complained of. */
function useFailedText(
  form: UseFormReturn<CampaignValues>,
  shown: ShownText,
  onShow: (shown: ShownText) => void,
): void {
  const { errors, submitCount } = form.formState;
  const [tried, setTried] = useState(submitCount);
  useEffect(() => {
    if (tried === submitCount) {
      return;
    }
    setTried(submitCount);
    const kinds = ["message", "confirmationMessage"] as const;
    const failed = kinds.flatMap((kind) =>
      textNames(kind).flatMap((name, index) => (errors[name] ? [{ kind, [kind]: index + 1 }] : [])),
    );
    if (failed[0]) {
      onShow({ ...shown, ...failed[0] });
    }
  }, [tried, submitCount, errors, shown, onShow]);
}

const Root = styled("div")({ display: "flex", flexDirection: "column", minWidth: 0 });
const Panel = styled(TabPanel)({ paddingTop: 14 });
const Written = styled("span")({ display: "inline-flex", color: color.accent });
const Hidden = styled("span")(visuallyHidden);

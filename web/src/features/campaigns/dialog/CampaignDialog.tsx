import type { Campaign } from "@prosa/contract/campaigns";
import { useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useRef, useState } from "react";
import type { Path, UseFormReturn } from "react-hook-form";
import { useConnections } from "#web/features/connections/index.ts";
import { FileListField } from "#web/features/files/index.ts";
import { sendingRulesOptions } from "#web/features/sending/index.ts";
import { serverNow } from "#web/lib/session/clock.ts";
import { useUser } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { confirm } from "#web/ui/dialogs/Confirm.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { SwitchField, TextField } from "#web/ui/fields/Field.tsx";
import { FileField } from "#web/ui/fields/FileField.tsx";
import type { LoadSchema } from "#web/ui/fields/formRules.ts";
import { OpeningDialog } from "#web/ui/Opening.tsx";
import { styled } from "#web/ui/styled.ts";
import { toast } from "#web/ui/Toast.tsx";
import { campaignSettingsOptions } from "../campaigns.api.ts";
import { editingOf, type Editing } from "../campaign-states.ts";
import { forecast, type Forecast } from "../forecast.ts";
import { AudienceField } from "./AudienceField.tsx";
import { bodyOf, missingOf, timeOf, valuesOf, type CampaignValues, type Missing } from "./campaign-form.ts";
import { CampaignEstimate, useContactsText, useWhenText } from "./CampaignEstimate.tsx";
import { CampaignFacts } from "./CampaignFacts.tsx";
import { CampaignPreview } from "./CampaignPreview.tsx";
import { CampaignTexts, type ShownText } from "./CampaignTexts.tsx";
import { dialogMessages } from "./dialog.i18n.ts";
import { LinesField } from "./LinesField.tsx";
import { TestDialog } from "./TestDialog.tsx";
import { useAudience } from "./useAudience.ts";
import { useFileListPreview } from "./useFileListPreview.ts";
import { useStoreCampaign } from "./useStoreCampaign.ts";
import { WhenField } from "./WhenField.tsx";

interface CampaignDialogProps {
  readonly campaign: Campaign | undefined;
  readonly onClose: () => void;
}

/** A new campaign is proposed for so much later: it can still be changed for an hour after it is saved. */
const PROPOSED_MS = 2 * 3_600_000;

/** Form of a campaign beside a live preview; what may not be changed any more is shown as facts (K-03). */
export function CampaignDialog(props: CampaignDialogProps) {
  const connections = useConnections();
  return connections.isPending ? <OpeningDialog /> : <CampaignForm {...props} lines={connections.data ?? []} />;
}

function CampaignForm(
  props: CampaignDialogProps & { readonly lines: readonly { readonly id: number; readonly name: string }[] },
) {
  const { campaign, lines, onClose } = props;
  const t = useMessages(dialogMessages);
  const { timeZone } = useUser().company;
  const [editing] = useState<Editing>(() => editingOf(campaign, serverNow()));
  const [values] = useState(() =>
    valuesOf(campaign, { timeZone, lines, proposed: new Date(serverNow() + PROPOSED_MS) }),
  );
  const store = useStoreCampaign(campaign, editing, values);
  const contactsText = useContactsText();
  const whenText = useWhenText();
  const expected = useRef<Expected>({ size: undefined, forecast: null });
  const schema = useCampaignSchema(editing);

  const onSave = async (saved: CampaignValues) => {
    const { name } = saved;
    if (editing === "all" && saved.when === "now") {
      const { size, forecast: plan } = expected.current;
      const contacts = size && contactsText(size);
      const isLater = plan !== null && plan.first.getTime() > serverNow();
      const text =
        contacts === undefined
          ? t("nowTextUnknown", { name })
          : isLater
            ? t("nowTextLater", { name, contacts, first: whenText(plan.first) })
            : t("nowText", { name, contacts });
      if (!(await confirm({ title: t("nowTitle"), text, verb: t("when_now") }))) {
        return false;
      }
    }
    await store(saved);
    const isSent = editing === "all" && saved.when !== "later";
    toast.success(t(!isSent ? "saved" : saved.when === "now" ? "started" : "scheduled"));
    return true;
  };

  return (
    <FormDialog<CampaignValues>
      title={!campaign ? t("addTitle") : editing === "none" ? t("viewTitle", campaign) : t("editTitle")}
      width="lg"
      values={values}
      schema={schema}
      verb={({ when }) => t(editing === "texts" || when === "later" ? "save" : `when_${when}`)}
      isReadOnly={editing === "none"}
      fieldOfError={{ ERR_FILE_TYPE: "file", ERR_FILE_TOO_LARGE: "file" }}
      onSave={onSave}
      onClose={onClose}
    >
      {(form, errorOf) => (
        <Content
          {...{ campaign, lines, editing, form, errorOf, store }}
          onExpect={(known) => {
            expected.current = known;
          }}
        />
      )}
    </FormDialog>
  );
}

/** What is known of a campaign before it is sent. */
interface Expected {
  readonly size: ReturnType<typeof useAudience>["size"];
  readonly forecast: Forecast | null;
}

/** The contract's schema with the rules of a campaign that is sent at a time. */
function useCampaignSchema(editing: Editing): LoadSchema {
  const t = useMessages(dialogMessages);
  const { timeZone } = useUser().company;
  const words: Readonly<Record<Missing, string>> = {
    lineMissing: t("lineMissing"),
    timeMissing: t("timeMissing"),
    timePast: t("timePast"),
    // said by the contract: of an empty field that it is required
    messageMissing: "Nothing to send",
    confirmationMissing: "Required",
    contactListMissing: "Required",
    tagMissing: "Required",
  };
  return async () => {
    const { campaignBody } = await import("#schemas/campaigns");
    return {
      async safeParseAsync(given) {
        const values = given as CampaignValues;
        const clock = { timeZone, now: serverNow() };
        const checked = await campaignBody.partial().safeParseAsync(bodyOf(values, editing, clock));
        const missing = editing === "all" ? Object.entries(missingOf(values, clock)) : [];
        const issues = [
          ...(checked.success ? [] : checked.error.issues),
          ...missing.map(([field, what]) => ({ path: [field], code: "custom", message: words[what] })),
        ];
        return issues.length === 0 ? { success: true } : { success: false, error: { issues } };
      },
    };
  };
}

function Content(props: {
  readonly campaign: Campaign | undefined;
  readonly lines: readonly { readonly id: number; readonly name: string }[];
  readonly editing: Editing;
  readonly form: UseFormReturn<CampaignValues>;
  readonly errorOf: (name: Path<CampaignValues>) => string | undefined;
  readonly store: ReturnType<typeof useStoreCampaign>;
  readonly onExpect: (expected: Expected) => void;
}) {
  const { campaign, lines, editing, form, errorOf } = props;
  const t = useMessages(dialogMessages);
  const { timeZone } = useUser().company;
  const values = form.watch();
  const [shown, setShown] = useState<ShownText>(() => ({
    kind: values.confirmation ? "confirmationMessage" : "message",
    message: 1,
    confirmationMessage: 1,
  }));
  const [isTesting, setTesting] = useState(false);
  const settings = useQuery(campaignSettingsOptions).data;
  const variables = settings?.variables ?? [];
  const { sample, size } = useAudience(values, campaign);
  const fileList = useFileListPreview(values.fileListId);
  const rules = useQuery(sendingRulesOptions).data;
  const now = serverNow();
  const at = timeOf(values, { timeZone, now });
  const plan =
    at && size && settings && rules
      ? forecast(
          { contacts: size.contacts, lineIds: values.whatsappIds, at, now: new Date(now) },
          { rules, pace: settings, timeZone },
        )
      : null;
  props.onExpect({ size, forecast: plan });
  const set = <K extends keyof CampaignValues>(name: K, value: CampaignValues[K]) =>
    form.setValue(name as Path<CampaignValues>, value as never, {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    });
  const isWhole = editing === "all";
  const linesField = (
    <LinesField
      lines={lines}
      chosen={values.whatsappIds}
      error={errorOf("whatsappIds")}
      onChange={(chosen) => set("whatsappIds", chosen)}
    />
  );

  return (
    <Columns>
      <Fields>
        {editing !== "all" && campaign && <CampaignFacts campaign={campaign} editing={editing} />}
        {isLineless(campaign, editing) && linesField}
        {isWhole && (
          <>
            <TextField
              label={t("name")}
              maxLength={50}
              autoComplete="off"
              {...form.register("name")}
              error={errorOf("name")}
            />
            <AudienceField form={form} errorOf={errorOf} onChange={set} />
            {linesField}
            <SwitchField
              label={t("confirmation")}
              hint={t("confirmationHint")}
              {...form.register("confirmation", {
                onChange: () =>
                  setShown({ ...shown, kind: form.getValues("confirmation") ? "confirmationMessage" : "message" }),
              })}
            />
          </>
        )}
        <CampaignTexts
          form={form}
          errorOf={errorOf}
          shown={shown}
          onShow={setShown}
          contact={sample.contact}
          variables={variables}
          isReadOnly={editing === "none"}
        />
        {isWhole && (
          <After>
            <FileField
              hint={t("fileHint")}
              file={values.file}
              error={errorOf("file")}
              isReadOnly={false}
              onChoose={(file) => set("file", file)}
              onRemove={() => set("file", null)}
            />
            <FileListField
              hint={t("fileListHint")}
              value={values.fileListId === "" ? null : Number(values.fileListId)}
              onChange={(id) => set("fileListId", String(id ?? ""))}
            />
            <WhenField form={form} errorOf={errorOf} onChange={(when) => set("when", when)} />
          </After>
        )}
      </Fields>
      <Side>
        <CampaignPreview {...{ values, shown, sample, variables, fileList }} onShow={setShown} />
        {isWhole && <CampaignEstimate size={size} lines={values.whatsappIds.length} pace={settings} forecast={plan} />}
        {editing !== "none" && (
          <div>
            <Button
              icon={<Send size={15} />}
              onClick={() =>
                void form.trigger("name").then((isFine) => {
                  setTesting(isFine);
                })
              }
            >
              {t("test")}
            </Button>
          </div>
        )}
        {isTesting && (
          <TestDialog save={() => props.store(form.getValues(), { isDraft: true })} onClose={() => setTesting(false)} />
        )}
      </Side>
    </Columns>
  );
}

/** A cancelled campaign whose lines were deleted: it gets others before it is restarted. */
function isLineless(campaign: Campaign | undefined, editing: Editing): boolean {
  return editing === "texts" && campaign?.lines.length === 0;
}

const narrow = "@media (max-width: 899.95px)";
const column = { display: "flex", flexDirection: "column", gap: 16, minWidth: 0 } as const;
const Columns = styled("div")({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr) minmax(300px, 400px)",
  gap: 24,
  alignItems: "start",
  [narrow]: { ...column, alignItems: "stretch" },
});
// one column has the preview right below the texts
const Fields = styled("div")({ ...column, [narrow]: { display: "contents" } });
const After = styled("div")({ ...column, [narrow]: { order: 2 } });
const Side = styled("div")({
  ...column,
  position: "sticky",
  top: 0,
  gap: 12,
  [narrow]: { position: "static", order: 1 },
});

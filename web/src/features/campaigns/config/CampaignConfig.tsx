import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { ApiError } from "#web/lib/api/apiError.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { changedValues } from "#web/ui/fields/changed-values.ts";
import { Screen, ScreenHead, ScreenTitle } from "#web/ui/Screen.ts";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { campaignSettingsOptions, useSaveCampaignSettings, type CampaignSettings } from "../campaigns.api.ts";
import { configMessages } from "./config.i18n.ts";
import { afterSave, untouched } from "./config-edit.ts";
import { knownVariables } from "./known-variables.ts";
import { PaceFields } from "./PaceFields.tsx";
import { VariableList } from "./VariableList.tsx";

/** Pace and variables of campaigns (K-08), and below them the rules of every sending, which are `children`. */
export function CampaignConfig({ children }: { readonly children?: ReactNode }) {
  const t = useMessages(configMessages);
  const query = useQuery({ ...campaignSettingsOptions, staleTime: 0 });
  return (
    <Screen aria-label={t("title")}>
      <ScreenHead>
        <ScreenTitle>{t("title")}</ScreenTitle>
      </ScreenHead>
      <Body aria-busy={query.isPending}>
        {query.data ? (
          <Settings saved={query.data} />
        ) : query.isError ? (
          <ErrorState title={t("failed")} error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Skeleton style={{ height: 220 }} />
        )}
        {children}
      </Body>
    </Screen>
  );
}

function Settings({ saved }: { readonly saved: CampaignSettings }) {
  const t = useMessages(configMessages);
  const save = useSaveCampaignSettings();
  const [edit, setEdit] = useState(untouched);
  // By saves that failed: the server may have them.
  const [tried, setTried] = useState<readonly string[]>([]);
  const settings = { ...saved, ...edit.changes };
  const changed = changedValues({ ...saved }, settings, tried);
  const isChanged = Object.keys(changed).length > 0;
  const change = (change: Partial<CampaignSettings>) =>
    setEdit({
      ...edit,
      changes: { ...edit.changes, ...change },
      opened: edit.changes.variables ? edit.opened : saved.variables,
    });
  return (
    <>
      <Card aria-label={t("pace")}>
        <h2>{t("pace")}</h2>
        <p>{t("paceHint")}</p>
        <PaceFields pace={settings} onChange={change} />
      </Card>
      <Card aria-label={t("variables")}>
        <h2>{t("variables")}</h2>
        <p>{t("variablesHint", { token: "{cupom}" })}</p>
        <VariableList variables={settings.variables} onChange={(variables) => change({ variables })} />
      </Card>
      <Save>
        {isChanged && <span>{t("unsaved")}</span>}
        <Button
          kind="primary"
          disabled={!isChanged}
          isBusy={save.isPending}
          onClick={() => {
            const { variables } = edit.changes;
            setEdit({ ...edit, sent: variables ? [...edit.sent, variables] : edit.sent });
            save.mutate(
              {
                changed,
                knownVariables: knownVariables(settings.variables, { opened: edit.opened, tried: edit.sent }),
              },
              {
                onSuccess: () => {
                  setEdit((now) => afterSave(now, edit.changes));
                  setTried([]);
                  toast.success(t("saved"));
                },
                onError: (error) => {
                  setTried(Object.keys(changed));
                  if (error instanceof ApiError && error.code === "ERR_CAMPAIGN_VARIABLE_IN_USE") {
                    toast.error(t("variableInUse", namesIn(error)));
                  } else {
                    toast.failure(error);
                  }
                },
              },
            );
          }}
        >
          {t("save")}
        </Button>
      </Save>
    </>
  );
}

/** The variable that a campaign to be sent has in a text, and the campaign. */
function namesIn({ details: { variable, campaign } }: ApiError) {
  return { variable: String(variable), campaign: String(campaign) };
}

const Body = styled("div")({
  flex: 1,
  minHeight: 0,
  display: "flex",
  flexDirection: "column",
  gap: 16,
  padding: "16px 20px 32px",
  overflowY: "auto",
  "& > *": { flex: "none", width: "100%", maxWidth: 860 },
  [media.phone]: { padding: "12px 12px 32px" },
});
const Card = styled("section")({
  display: "flex",
  flexDirection: "column",
  gap: 12,
  padding: 16,
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  fontSize: 13,
  "& > h2": { fontSize: 14, fontWeight: 600 },
  "& > p": { maxWidth: 640, color: color.ink2, lineHeight: 1.45 },
});
const Save = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  justifyContent: "flex-end",
  gap: 12,
  fontSize: 13,
  "& > span": { color: color.ink2 },
});

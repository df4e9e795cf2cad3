import { twoFactor, type TwoFactorSecret, type TwoFactorState } from "@prosa/contract/two-factor";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { useDiscardQuestion } from "#web/ui/dialogs/useDiscardQuestion.ts";
import { ErrorState, ProgressBar } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { toast } from "#web/ui/Toast.tsx";
import { CodeForm } from "./CodeForm.tsx";
import { OwnSessions } from "./OwnSessions.tsx";
import { Passkeys } from "./Passkeys.tsx";
import { RecoveryCodes, type ShowCodes } from "./RecoveryCodes.tsx";
import { SetUpFactor } from "./SetUpFactor.tsx";
import { twoFactorMessages } from "./two-factor.i18n.ts";

const stateKey = ["two-factor"] as const;

/** One's own second factor and sessions (V-03). */
export function SecurityDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages(twoFactorMessages);
  const query = useQuery({ queryKey: stateKey, queryFn: ({ signal }) => call(twoFactor.state, { signal }) });
  // Shown once: alone, and not lost by Escape, a click beside, Back or a link, from when they are asked for.
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [requests, setRequests] = useState(0);
  const hasCodes = codes.length > 0;
  const showCodes: ShowCodes = async (request) => {
    setRequests((count) => count + 1);
    try {
      const { recoveryCodes } = await request;
      // An answer without codes takes none off the screen that another one brought.
      setCodes((shown) => (recoveryCodes.length > 0 ? recoveryCodes : shown));
    } finally {
      setRequests((count) => count - 1);
    }
  };
  const mayLose = useDiscardQuestion(
    hasCodes || requests > 0,
    onClose,
    hasCodes
      ? { title: t("keptTitle"), text: t("keptText"), verb: t("keptCodes") }
      : { title: t("comingTitle"), text: t("comingText"), verb: t("closeAnyway"), isDangerous: true },
  );
  const close = async () => {
    // While they are on their way it stays, as a form does that is being saved.
    if (hasCodes ? await mayLose() : requests === 0) {
      onClose();
    }
  };
  return (
    <InfoDialog title={t("title")} width="sm" onClose={() => void close()}>
      {hasCodes ? (
        <RecoveryCodes codes={codes} onKept={() => setCodes([])} />
      ) : query.data ? (
        <>
          <Factor state={query.data} showCodes={showCodes} />
          <Passkeys onChange={() => void query.refetch()} showCodes={showCodes} />
          <OwnSessions />
        </>
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <ProgressBar label={t("title")} />
      )}
    </InfoDialog>
  );
}

/** What is being done; each begins with the current password. */
type Act = "set-up" | "codes" | "off";
type Shown =
  | { readonly at: "state" }
  | { readonly at: "password"; readonly act: Act }
  | { readonly at: "secret"; readonly given: TwoFactorSecret };

function Factor({ state, showCodes }: { readonly state: TwoFactorState; readonly showCodes: ShowCodes }) {
  const t = useMessages(twoFactorMessages);
  const queryClient = useQueryClient();
  const [shown, setShown] = useState<Shown>({ at: "state" });
  const toState = () => setShown({ at: "state" });
  const refresh = () => queryClient.invalidateQueries({ queryKey: stateKey });

  const act = async (what: Act, password: string) => {
    const body = { password };
    if (what === "set-up") {
      setShown({ at: "secret", given: await call(twoFactor.begin, { body }) });
    } else if (what === "codes") {
      await showCodes(call(twoFactor.renewCodes, { body }));
    } else {
      await call(twoFactor.disable, { body });
      toast.success(t("off"));
      toState();
    }
    await refresh();
  };
  const confirm = async (code: string) => {
    await showCodes(call(twoFactor.confirm, { body: { code } }));
    toast.success(t("on"));
    await refresh();
  };
  const cancel = (
    <Button kind="quiet" size="large" onClick={toState}>
      {t("cancel")}
    </Button>
  );

  return (
    <Section aria-labelledby="two-factor">
      <h3 id="two-factor">{t("step")}</h3>
      {shown.at === "password" ? (
        <CodeForm
          name={t("step")}
          label={t("password")}
          verb={t("continue")}
          isPassword
          onSend={(password) => act(shown.act, password)}
        >
          {cancel}
        </CodeForm>
      ) : shown.at === "secret" ? (
        <SetUpFactor given={shown.given} onCode={confirm}>
          {cancel}
        </SetUpFactor>
      ) : (
        <State state={state} onAct={(what) => setShown({ at: "password", act: what })} />
      )}
    </Section>
  );
}

function State({ state, onAct }: { readonly state: TwoFactorState; readonly onAct: (act: Act) => void }) {
  const t = useMessages(twoFactorMessages);
  return (
    <>
      <p>
        {state.isOn ? t("isOn", { count: state.recoveryCodesLeft }) : t("isOff")}
        {state.isRequired && ` ${t("isRequired")}`}
      </p>
      <footer>
        {state.isOn ? (
          <>
            <Button onClick={() => onAct("codes")}>{t("newCodes")}</Button>
            {!state.isRequired && (
              <Button kind="quiet" onClick={() => onAct("off")}>
                {t("turnOff")}
              </Button>
            )}
          </>
        ) : (
          <Button kind="primary" onClick={() => onAct("set-up")}>
            {t("setUp")}
          </Button>
        )}
      </footer>
    </>
  );
}

const Section = styled("section")({
  display: "flex",
  flexDirection: "column",
  gap: 8,
  "& h3": { fontSize: 15, fontWeight: 600 },
  "& > footer": { display: "flex", flexWrap: "wrap", gap: 8 },
});

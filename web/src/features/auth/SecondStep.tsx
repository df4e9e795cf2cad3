import { twoFactor } from "@prosa/contract/two-factor";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useErrorText } from "#web/lib/api/errors.i18n.ts";
import { callPublic, startSession } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { ProgressBar } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { CodeForm } from "./CodeForm.tsx";
import { orBack } from "./or-back.ts";
import { RecoveryCodes } from "./RecoveryCodes.tsx";
import { signInWithPasskey } from "./sign-in-with-passkey.ts";
import { SetUpFactor } from "./SetUpFactor.tsx";
import { twoFactorMessages } from "./two-factor.i18n.ts";

type SecondStepKind = "ERR_SECOND_FACTOR" | "ERR_SECOND_FACTOR_SETUP";

interface StepProps {
  readonly ticket: string;
  readonly onBack: () => void;
}

/** What follows a right password: a code, or the set-up of a second factor that the company requires (V-03). */
export function SecondStep({ kind, ...props }: StepProps & { readonly kind: SecondStepKind }) {
  const t = useMessages(twoFactorMessages);
  return (
    <Column>
      <h1>{t("step")}</h1>
      {kind === "ERR_SECOND_FACTOR" ? <EnterCode {...props} /> : <RequiredSetUp {...props} />}
    </Column>
  );
}

function EnterCode({ ticket, onBack }: StepProps) {
  const t = useMessages(twoFactorMessages);
  const send = async (code: string) => {
    const session = await orBack(callPublic(twoFactor.signIn, { body: { ticket, code } }), onBack);
    if (session) {
      startSession(session);
    }
  };
  return (
    <>
      <p>{t("stepLead")}</p>
      <CodeForm name={t("step")} label={t("code")} hint={t("codeHint")} verb={t("enter")} onSend={send}>
        <Button size="large" onClick={() => void signInWithPasskey()}>
          {t("usePasskey")}
        </Button>
        <BackButton onBack={onBack} />
      </CodeForm>
    </>
  );
}

function RequiredSetUp({ ticket, onBack }: StepProps) {
  const t = useMessages(twoFactorMessages);
  const errorText = useErrorText();
  const [done, setDone] = useState<{ readonly codes: readonly string[]; readonly enter: () => void }>();
  const query = useQuery({
    queryKey: ["required-factor", ticket],
    queryFn: ({ signal }) => callPublic(twoFactor.beginRequired, { body: { ticket }, signal }),
    // Another secret would make the scanned one worthless.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  if (done) {
    return <RecoveryCodes codes={done.codes} onKept={done.enter} />;
  }
  if (query.isPending) {
    return <ProgressBar label={t("step")} />;
  }
  if (query.isError) {
    return (
      <>
        <p role="alert">{errorText(query.error)}</p>
        <BackButton onBack={onBack} />
      </>
    );
  }
  const confirm = async (code: string) => {
    const session = await orBack(callPublic(twoFactor.confirmRequired, { body: { ticket, code } }), onBack);
    if (session) {
      setDone({ codes: session.recoveryCodes, enter: () => startSession(session) });
    }
  };
  return (
    <>
      <p>{t("required")}</p>
      <SetUpFactor given={query.data} onCode={confirm}>
        <BackButton onBack={onBack} />
      </SetUpFactor>
    </>
  );
}

function BackButton({ onBack }: { readonly onBack: () => void }) {
  const t = useMessages(twoFactorMessages);
  return (
    <Button kind="quiet" size="large" onClick={onBack}>
      {t("back")}
    </Button>
  );
}

const Column = styled("div")({ display: "flex", flexDirection: "column", gap: 12 });

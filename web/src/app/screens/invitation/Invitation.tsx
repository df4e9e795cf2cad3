import { invitations, type OpenInvitation } from "@prosa/contract/invitations";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError } from "#web/lib/api/apiError.ts";
import { useErrorText } from "#web/lib/api/errors.i18n.ts";
import { navigate, useLocation } from "#web/lib/routing/location.ts";
import { Link, Redirect, useParams } from "#web/lib/routing/router.tsx";
import { callPublic, signOut, startSession, useSession } from "#web/lib/session/session.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useLanguage, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { PasswordField, TextField } from "#web/ui/fields/Field.tsx";
import { serverFieldErrors } from "#web/ui/fields/formRules.ts";
import { RulesAlert } from "#web/ui/fields/RulesAlert.tsx";
import { useContractForm } from "#web/ui/fields/useContractForm.ts";
import { ProgressBar } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { PublicForm, PublicPage } from "../PublicPage.tsx";
import { isRefusal } from "./is-refusal.ts";
import { invitationMessages } from "./invitation.i18n.ts";

/**
 * /convite/:token: who was invited sets name and password, and is signed in (Z-05). The token leaves the address at once,
 * for the history and whoever looks over the shoulder; a reload finds it in the state of the history's entry.
 */
export function Invitation() {
  const t = useMessages(invitationMessages);
  const { token: fromAddress } = useParams();
  const { state } = useLocation();
  const token = fromAddress ?? tokenIn(state);
  useEffect(() => {
    if (fromAddress !== undefined) {
      navigate("/convite", { replace: true, state: { token: fromAddress } });
    }
  }, [fromAddress]);

  if (token === undefined) {
    return <Redirect to="/login" />;
  }
  return (
    <PublicPage>
      <h1>{t("welcome")}</h1>
      <Card token={token} />
    </PublicPage>
  );
}

function tokenIn(state: unknown): string | undefined {
  const token = typeof state === "object" && state !== null && "token" in state ? state.token : undefined;
  return typeof token === "string" ? token : undefined;
}

/** What the link is: the form, or why it is none. */
function Card({ token }: { readonly token: string }) {
  const t = useMessages(invitationMessages);
  const errorText = useErrorText();
  const session = useSession();
  const query = useQuery({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => callPublic(invitations.open, { body: { token }, signal }),
    // The link that was just used is still shown while the desk loads.
    staleTime: Infinity,
    retry: false,
  });
  if (query.isPending) {
    return <ProgressBar label={t("loading")} />;
  }
  if (query.isError) {
    return (
      <>
        <p role="alert">{errorText(query.error)}</p>
        <footer>
          {isRefusal(query.error) ? (
            <Link to="/login">{t("toLogin")}</Link>
          ) : (
            <Button onClick={() => void query.refetch()}>{t("retry")}</Button>
          )}
        </footer>
      </>
    );
  }
  if (session.state === "in") {
    return <SignedInAlready name={session.user.name} invitation={query.data} />;
  }
  return <AcceptForm token={token} invitation={query.data} />;
}

function SignedInAlready({ name, invitation }: { readonly name: string; readonly invitation: OpenInvitation }) {
  const t = useMessages(invitationMessages);
  return (
    <>
      <p>{t("otherSession", { name, email: invitation.email })}</p>
      <footer>
        <Button kind="primary" size="large" fullWidth onClick={() => void signOut()}>
          {t("signOut")}
        </Button>
      </footer>
    </>
  );
}

interface Acceptance {
  readonly token: string;
  name: string;
  password: string;
}

function AcceptForm({ token, invitation }: { readonly token: string; readonly invitation: OpenInvitation }) {
  const t = useMessages(invitationMessages);
  const language = useLanguage();
  const format = useFormat();
  const form = useContractForm<Acceptance>({
    defaultValues: { token, name: invitation.name, password: "" },
    schema: () => import("#schemas/invitations").then((module) => module.acceptance),
  });
  const { errors, isSubmitting } = form.formState;

  const accept = async (body: Acceptance) => {
    try {
      startSession(await callPublic(invitations.accept, { body }));
      navigate("/tickets", { replace: true });
      toast.success(t("done", { company: invitation.company }));
    } catch (error) {
      if (error instanceof ApiError && error.code === "ERR_SECOND_FACTOR_SETUP") {
        // Name and password are saved: the sign-in leads through the rest (V-03).
        navigate("/login", { replace: true });
      }
      const atField = serverFieldErrors(error, {}, language).filter(
        ({ name }) => name === "name" || name === "password",
      );
      atField.forEach(({ name, message }) => form.setError(name as "name" | "password", { message }));
      if (atField.length === 0) {
        toast.failure(error);
      }
    }
  };

  return (
    <>
      <p>
        {invitation.inviter === null
          ? t("leadOfCompany", { company: invitation.company })
          : t("lead", { inviter: invitation.inviter, company: invitation.company })}
      </p>
      <PublicForm noValidate aria-label={t("title")} onSubmit={(event) => void form.handleSubmit(accept)(event)}>
        {/* shown and read-only, so that password managers keep it with the password */}
        <TextField
          label={t("email")}
          hint={t("emailHint")}
          type="email"
          autoComplete="username"
          value={invitation.email}
          readOnly
        />
        <TextField
          label={t("name")}
          autoComplete="name"
          autoFocus
          error={errors.name?.message}
          {...form.register("name")}
        />
        <PasswordField
          label={t("password")}
          hint={t("passwordHint")}
          autoComplete="new-password"
          error={errors.password?.message}
          {...form.register("password")}
        />
        <RulesAlert errors={errors} />
        <Button kind="primary" type="submit" size="large" fullWidth isBusy={isSubmitting}>
          {t("enter")}
        </Button>
      </PublicForm>
      <footer>{t("until", { day: format.date(invitation.expiresAt), time: format.time(invitation.expiresAt) })}</footer>
    </>
  );
}

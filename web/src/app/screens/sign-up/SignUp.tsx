import { plans, type Plan } from "@prosa/contract/plans";
import { maskPhone, signUps, trialDays } from "@prosa/contract/sign-ups";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useErrorText } from "#web/lib/api/errors.i18n.ts";
import { navigate, useSearchParams } from "#web/lib/routing/location.ts";
import { Link } from "#web/lib/routing/router.tsx";
import { callPublic } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { PasswordField, TextField } from "#web/ui/fields/Field.tsx";
import { RulesAlert } from "#web/ui/fields/RulesAlert.tsx";
import { useContractForm } from "#web/ui/fields/useContractForm.ts";
import { ProgressBar } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { toast } from "#web/ui/Toast.tsx";
import { PublicForm, PublicPage } from "../PublicPage.tsx";
import { useRefusal } from "../useRefusal.ts";
import { confirmEmail } from "./confirmEmail.ts";
import { PlanChoice } from "./PlanChoice.tsx";
import { signUpMessages } from "./signUp.i18n.ts";

/** /signup, optionally of a company's link with ?companyId=, or of the mail that confirms an e-mail with ?confirm= (A-09). */
export function SignUp() {
  const t = useMessages(signUpMessages);
  const [search] = useSearchParams();
  const token = search.get("confirm");
  useEffect(() => {
    if (token !== null) {
      void confirmEmail(token);
    }
  }, [token]);
  if (token !== null) {
    return <ProgressBar label={t("loading")} />;
  }
  return (
    <PublicPage>
      <h1>{t("title")}</h1>
      <Card />
      <footer>
        {t("haveAccount")} <Link to="/login">{t("toLogin")}</Link>
      </footer>
    </PublicPage>
  );
}

/** The form, or why there is none. */
function Card() {
  const t = useMessages(signUpMessages);
  const errorText = useErrorText();
  const [search] = useSearchParams();
  const given = Number(search.get("companyId"));
  const companyId = Number.isInteger(given) && given > 0 ? given : undefined;
  const query = useQuery({
    queryKey: ["sign-up", companyId],
    queryFn: async ({ signal }) => {
      const [form, offered] = await Promise.all([
        callPublic(signUps.form, { query: { companyId }, signal }),
        callPublic(plans.lookup, { signal }),
      ]);
      return { ...form, offered };
    },
    // The ticket says when the form was opened, and the form is not loaded again while somebody fills it.
    staleTime: Infinity,
    gcTime: 0,
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
          <Button onClick={() => void query.refetch()}>{t("retry")}</Button>
        </footer>
      </>
    );
  }
  const { isOpen, offered, ticket } = query.data;
  if (!isOpen || offered.length === 0) {
    return <p role="alert">{t(isOpen ? "noPlans" : "closed")}</p>;
  }
  return <Form offered={offered} ticket={ticket} companyId={companyId} />;
}

interface Values {
  name: string;
  email: string;
  phone: string;
  password: string;
  planId: string;
  website: string;
}

function Form(props: {
  readonly offered: readonly Plan[];
  readonly ticket: string;
  readonly companyId: number | undefined;
}) {
  const { offered, ticket, companyId } = props;
  const t = useMessages(signUpMessages);
  const form = useContractForm<Values>({
    defaultValues: { name: "", email: "", phone: "", password: "", planId: onlyPlan(offered), website: "" },
    schema: () => import("#schemas/sign-ups").then(({ signUpBody }) => signUpBody),
  });
  const { errors, isSubmitting } = form.formState;
  const showRefusal = useRefusal(form, { ERR_EMAIL_TAKEN: "email", ERR_NAME_TAKEN: "name" });
  const phone = form.register("phone");

  const create = async (values: Values) => {
    try {
      const body = { ...values, companyId: companyId ?? null, ticket };
      const { mustConfirm, email } = await callPublic(signUps.create, { body });
      toast.success(mustConfirm ? t("confirm", { email }) : t("done"));
      navigate("/login", { replace: true });
    } catch (error) {
      showRefusal(error);
    }
  };

  return (
    <>
      <p>{t("lead", { days: trialDays })}</p>
      <PublicForm noValidate aria-label={t("title")} onSubmit={(event) => void form.handleSubmit(create)(event)}>
        <TextField
          label={t("name")}
          autoComplete="organization"
          autoFocus
          error={errors.name?.message}
          {...form.register("name")}
        />
        <TextField
          label={t("email")}
          hint={t("emailHint")}
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.email?.message}
          {...form.register("email")}
        />
        <TextField
          label={t("phone")}
          isOptional
          type="tel"
          inputMode="numeric"
          autoComplete="tel-national"
          placeholder="(99) 99999-9999"
          error={errors.phone?.message}
          {...phone}
          onChange={(event) => {
            event.target.value = maskPhone(event.target.value);
            void phone.onChange(event);
          }}
        />
        <PasswordField
          label={t("password")}
          autoComplete="new-password"
          error={errors.password?.message}
          {...form.register("password")}
        />
        <PlanChoice offered={offered} error={errors.planId?.message} field={form.register("planId")} />
        {/* Nobody sees it and Tab passes it by: only a robot fills it. */}
        <Hidden aria-hidden>
          <label>
            Website
            <input tabIndex={-1} autoComplete="off" {...form.register("website")} />
          </label>
        </Hidden>
        <RulesAlert errors={errors} />
        <Button kind="primary" type="submit" size="large" fullWidth isBusy={isSubmitting}>
          {t("create")}
        </Button>
      </PublicForm>
    </>
  );
}

/** Who has no choice need not make it. */
function onlyPlan(offered: readonly Plan[]): string {
  const [first, ...others] = offered;
  return first && others.length === 0 ? String(first.id) : "";
}

const Hidden = styled("div")({ position: "absolute", left: -10_000, width: 1, height: 1, overflow: "hidden" });

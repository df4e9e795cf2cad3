import { setup } from "@prosa/contract/setup";
import { useQuery } from "@tanstack/react-query";
import { ApiError } from "#web/lib/api/apiError.ts";
import { useErrorText } from "#web/lib/api/errors.i18n.ts";
import { Link } from "#web/lib/routing/router.tsx";
import { callPublic, signIn } from "#web/lib/session/session.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { PasswordField, TextField } from "#web/ui/fields/Field.tsx";
import { RulesAlert } from "#web/ui/fields/RulesAlert.tsx";
import { useContractForm } from "#web/ui/fields/useContractForm.ts";
import { ProgressBar } from "#web/ui/states.tsx";
import { toast } from "#web/ui/Toast.tsx";
import { PublicForm, PublicPage } from "../PublicPage.tsx";
import { useRefusal } from "../useRefusal.ts";
import { setupMessages } from "./setup.i18n.ts";

/** /setup: the first page of an installation without an operator, to which every other page leads (Z-05). */
export function Setup() {
  const t = useMessages(setupMessages);
  return (
    <PublicPage>
      <h1>{t("title")}</h1>
      <Card />
    </PublicPage>
  );
}

function Card() {
  const t = useMessages(setupMessages);
  const errorText = useErrorText();
  const query = useQuery({
    queryKey: ["setup"],
    queryFn: ({ signal }) => callPublic(setup.state, { signal }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  if (query.isPending) {
    return <ProgressBar label={t("loading")} />;
  }
  if (query.isError) {
    const isSetUp = query.error instanceof ApiError && query.error.code === "ERR_NO_SETUP_FOUND";
    return (
      <>
        <p role="alert">{isSetUp ? t("already") : errorText(query.error)}</p>
        <footer>
          {isSetUp ? (
            <Link to="/login">{t("toLogin")}</Link>
          ) : (
            <Button onClick={() => void query.refetch()}>{t("retry")}</Button>
          )}
        </footer>
      </>
    );
  }
  return <Form company={query.data.company} />;
}

interface Values {
  code: string;
  name: string;
  email: string;
  password: string;
  company: string;
}

function Form({ company }: { readonly company: string }) {
  const t = useMessages(setupMessages);
  // The address that the server prints has the code as its fragment, which leaves the browser with no request.
  const given = location.hash.replace(/[^\w-]/gu, "");
  const form = useContractForm<Values>({
    defaultValues: { code: given, name: "", email: "", password: "", company },
    schema: () => import("#schemas/setup").then(({ setupBody }) => setupBody),
  });
  const { errors, isSubmitting } = form.formState;
  const showRefusal = useRefusal(form, {
    ERR_SETUP_CODE: "code",
    ERR_EMAIL_TAKEN: "email",
    ERR_NAME_TAKEN: "company",
  });

  const create = async (values: Values) => {
    try {
      await callPublic(setup.create, { body: values });
      history.replaceState(history.state, "", location.pathname);
      await signIn(values.email, values.password);
      toast.success(t("done"));
    } catch (error) {
      showRefusal(error);
    }
  };

  return (
    <>
      <p>{t("lead")}</p>
      <PublicForm noValidate aria-label={t("title")} onSubmit={(event) => void form.handleSubmit(create)(event)}>
        <TextField
          label={t("code")}
          hint={t("codeHint")}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus={given === ""}
          error={errors.code?.message}
          {...form.register("code")}
        />
        <TextField
          label={t("name")}
          autoComplete="name"
          autoFocus={given !== ""}
          error={errors.name?.message}
          {...form.register("name")}
        />
        <TextField
          label={t("email")}
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.email?.message}
          {...form.register("email")}
        />
        <PasswordField
          label={t("password")}
          hint={t("passwordHint")}
          autoComplete="new-password"
          error={errors.password?.message}
          {...form.register("password")}
        />
        <TextField
          label={t("company")}
          autoComplete="organization"
          error={errors.company?.message}
          {...form.register("company")}
        />
        <RulesAlert errors={errors} />
        <Button kind="primary" type="submit" size="large" fullWidth isBusy={isSubmitting}>
          {t("create")}
        </Button>
      </PublicForm>
    </>
  );
}

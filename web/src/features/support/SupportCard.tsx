import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { isAdmin } from "#web/lib/session/permissions.ts";
import { useUser } from "#web/lib/session/session.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { Card } from "#web/ui/Card.ts";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { styled } from "#web/ui/styled.ts";
import { toast } from "#web/ui/Toast.tsx";
import { hoursOf, supportOptions, useAllowSupport, useEndSupport } from "./support.api.ts";
import { supportMessages } from "./support.i18n.ts";

/** Settings → privacy: the company's consent to the operator's support, for a time (V-01). */
export function SupportCard() {
  const t = useMessages(supportMessages);
  const format = useFormat();
  const user = useUser();
  const { data } = useQuery(supportOptions);
  const grant = data?.grant;
  const end = useEndSupport();
  // The operator's own company needs no consent, and the support gives none to itself.
  if (!isAdmin(user) || user.super || user.support) {
    return null;
  }
  const request = data?.request;
  return (
    <Card aria-label={t("title")}>
      <h2>{t("title")}</h2>
      <p>{t("text")}</p>
      {request && (
        <p>{t(request.reason === "" ? "asks" : "asksBecause", { name: request.by, reason: request.reason })}</p>
      )}
      <output>
        {grant ? t("allowedUntil", { name: grant.by, when: format.dateTime(grant.until).slice(0, -3) }) : t("none")}
      </output>
      <AllowForm verb={t(grant ? "change" : "allow")}>
        {grant && (
          <Button
            kind="danger"
            isBusy={end.isPending}
            onClick={() => end.mutate(grant.id, { onError: (error) => toast.failure(error) })}
          >
            {t("revoke")}
          </Button>
        )}
      </AllowForm>
    </Card>
  );
}

/** The time of a consent, and the button that gives it. */
export function AllowForm({ verb, children }: { readonly verb: string; readonly children?: ReactNode }) {
  const t = useMessages(supportMessages);
  const [hours, setHours] = useState("4");
  const allow = useAllowSupport();
  return (
    <Row>
      <SelectField label={t("duration")} value={hours} onChange={({ target }) => setHours(target.value)}>
        <option value="1">{t("hours1")}</option>
        <option value="4">{t("hours4")}</option>
        <option value="24">{t("hours24")}</option>
        <option value="168">{t("hours168")}</option>
      </SelectField>
      <Button
        kind="primary"
        isBusy={allow.isPending}
        onClick={() => allow.mutate(hoursOf(hours), { onError: (error) => toast.failure(error) })}
      >
        {verb}
      </Button>
      {children}
    </Row>
  );
}

const Row = styled("div")({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "flex-end",
  gap: 8,
  "& > :first-child": { flex: "0 1 180px", minWidth: 120 },
});

import type { Plan } from "@prosa/contract/plans";
import type { ComponentProps } from "react";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { signUpMessages } from "./signUp.i18n.ts";

/** The plans of GET /plans/list as radio buttons with what each has and costs. */
export function PlanChoice(props: {
  readonly offered: readonly Plan[];
  readonly error: string | undefined;
  /** What `form.register` gives. */
  readonly field: ComponentProps<"input">;
}) {
  const t = useMessages(signUpMessages);
  const format = useFormat();
  return (
    <Group aria-describedby={props.error === undefined ? undefined : "plan-error"}>
      <legend>{t("plan")}</legend>
      {props.offered.map((plan) => (
        <label key={plan.id}>
          <input {...props.field} type="radio" value={plan.id} />
          <span>
            <b>{plan.name}</b>
            <small>
              {[
                t("users", { count: plan.users }),
                t("connections", { count: plan.connections }),
                t("queues", { count: plan.queues }),
              ].join(" · ")}
            </small>
          </span>
          <em>{t("perMonth", { price: format.money(plan.value) })}</em>
        </label>
      ))}
      {props.error !== undefined && (
        <p id="plan-error" role="alert">
          {props.error}
        </p>
      )}
    </Group>
  );
}

const Group = styled("fieldset")({
  display: "flex",
  flexDirection: "column",
  gap: 8,
  minWidth: 0,
  margin: 0,
  padding: 0,
  border: 0,
  "& legend": { padding: 0, marginBottom: 4, fontSize: 13, fontWeight: 500 },
  "& label": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: "2px 10px",
    padding: "10px 12px",
    border: `1px solid ${color.lineStrong}`,
    borderRadius: 8,
    cursor: "pointer",
  },
  "& label:hover": { borderColor: color.ink3 },
  "& label:has(input:checked)": { borderColor: color.accent, backgroundColor: color.accentSoft },
  "& label:has(input:focus-visible)": { boxShadow: `0 0 0 1px ${color.accent}`, borderColor: color.accent },
  "& input": { flex: "none", width: 16, minHeight: 0, height: 16, margin: 0, accentColor: color.accent, outline: 0 },
  "& label > span": { flex: "1 1 150px", minWidth: 0, display: "flex", flexDirection: "column" },
  "& b": { fontWeight: 500, overflowWrap: "anywhere" },
  "& small": { fontSize: 12, color: color.ink2 },
  "& em": { fontStyle: "normal", fontSize: 13, fontVariantNumeric: "tabular-nums", marginLeft: "auto" },
  "& > p": { fontSize: 12, color: color.danger },
});

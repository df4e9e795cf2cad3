/** Empty, error and loading states of lists and screens. */
import { styled } from "./styled.ts";
import { CloudOff } from "lucide-react";
import type { ReactNode } from "react";
import { useErrorText } from "#web/lib/api/errors.i18n.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "./Button.tsx";
import { color } from "./tokens.ts";

/** Explains what belongs here and offers the first step. */
export function EmptyState(props: {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly text?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <Face>
      {props.icon && <Ring aria-hidden>{props.icon}</Ring>}
      <h3>{props.title}</h3>
      {props.text && <p>{props.text}</p>}
      {props.action && <div>{props.action}</div>}
    </Face>
  );
}

/** Shows the error and offers to try again. */
export function ErrorState({
  error,
  title,
  onRetry,
}: {
  readonly error: unknown;
  /** What failed; a general title by default. */
  readonly title?: string | undefined;
  readonly onRetry?: (() => void) | undefined;
}) {
  const t = useMessages(messages);
  const errorText = useErrorText();
  return (
    <Face role="alert">
      <Ring aria-hidden data-tone="danger">
        <CloudOff />
      </Ring>
      <h3>{title ?? t("broken")}</h3>
      <p>{errorText(error)}</p>
      {onRetry && (
        <div>
          <Button onClick={onRetry}>{t("retry")}</Button>
        </div>
      )}
    </Face>
  );
}

/** A grey bar in place of text that is loading. */
export const Skeleton = styled("span")({
  display: "block",
  height: 12,
  borderRadius: 4,
  backgroundColor: color.skeleton,
  animation: "prosa-pulse 1.4s ease-in-out infinite",
});

/** Progress of long work, from 0 to 1; indeterminate without `value`. */
export function ProgressBar({ value, label }: { readonly value?: number | undefined; readonly label: string }) {
  const percent = value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <Track role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
      <span
        data-endless={percent === undefined || undefined}
        style={percent === undefined ? undefined : { width: `${percent}%` }}
      />
    </Track>
  );
}

const Face = styled("div")({
  display: "flex",
  flexDirection: "column",
  alignItems: "center",
  gap: 6,
  padding: "48px 24px",
  textAlign: "center",
  fontSize: 14,
  "& h3": { fontSize: 15, fontWeight: 600 },
  "& p": { maxWidth: 380, color: color.ink2 },
  "& > div:last-child": { marginTop: 8 },
});

const Ring = styled("div")({
  display: "grid",
  placeItems: "center",
  width: 48,
  height: 48,
  marginBottom: 6,
  borderRadius: "50%",
  backgroundColor: color.accentSoft,
  color: color.accent,
  "& svg": { width: 22, height: 22, strokeWidth: 1.75 },
  "&[data-tone='danger']": { backgroundColor: color.dangerSoft, color: color.danger },
});

const Track = styled("div")({
  height: 4,
  borderRadius: 2,
  overflow: "hidden",
  backgroundColor: color.chip,
  "& span": {
    display: "block",
    height: "100%",
    borderRadius: 2,
    backgroundColor: color.accent,
    transition: "width 120ms",
  },
  "& span[data-endless]": { width: "25%", animation: "prosa-slide 1.2s ease-in-out infinite" },
});

const messages = defineMessages({
  pt: { broken: "Não foi possível carregar", retry: "Tentar novamente" },
  en: { broken: "This could not be loaded", retry: "Try again" },
  es: { broken: "No se pudo cargar", retry: "Intentar de nuevo" },
});

import { styled } from "./styled.ts";
import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { focusContentIfLost } from "#web/lib/browser/content-focus.ts";
import { useShortcut } from "#web/lib/browser/hooks.ts";
import { shortcuts } from "#web/lib/browser/shortcuts.ts";
import { useErrorText } from "#web/lib/api/errors.i18n.ts";
import { defineMessages, useMessages } from "#web/lib/text/i18n.ts";
import { IconButton } from "./IconButton.tsx";
import { color, layer, media, size, toastAnchor } from "./tokens.ts";

/** Login errors stay 6 s (specification 1 section 8); so do all errors and toasts with an action. */
const LONG_MS = 6_000;
const SHORT_MS = 3_000;

export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}
type Tone = "success" | "info" | "error";
interface Shown {
  readonly id: number;
  readonly tone: Tone;
  /** Text, or a thrown error, which is translated when it is rendered. */
  readonly content: string | { readonly thrown: unknown };
  readonly action: ToastAction | undefined;
}

let current: Shown | undefined;
/** One that came by itself while an error was shown. */
let waiting: Shown | undefined;
let count = 0;
const listeners = new Set<() => void>();

/**
 * A short message at the bottom, one at a time: `toast.success(t("saved"))`, `toast.failure(error)`. The newest replaces what is shown;
 * what comes by itself (`later`) waits until an error is gone.
 */
export const toast = {
  success: (text: string, action?: ToastAction) => show("success", text, action),
  info: (text: string, action?: ToastAction) => show("info", text, action),
  /** As on a page load: it must not hide why something was refused. */
  later: (text: string) => show("info", text, undefined, true),
  error: (text: string, action?: ToastAction) => show("error", text, action),
  /** Shows the text of an error that a call threw. */
  failure: (thrown: unknown, action?: ToastAction) => show("error", { thrown }, action),
  close: () => {
    const next = waiting;
    waiting = undefined;
    set(next);
  },
};

/** Renders the toasts; mounted once in the app. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => current);
  return (
    <Region aria-live="polite" role="status">
      {shown && <ToastCard key={shown.id} shown={shown} />}
    </Region>
  );
}

function ToastCard({ shown }: { readonly shown: Shown }) {
  const t = useMessages(messages);
  const errorText = useErrorText();
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isHeld = isPointed || isFocused;
  const card = useRef<HTMLDivElement>(null);
  const { tone, content, action } = shown;
  const ms = tone === "error" || action ? LONG_MS : SHORT_MS;

  useEffect(() => {
    if (isHeld) {
      return undefined;
    }
    const timer = setTimeout(toast.close, ms);
    return () => clearTimeout(timer);
  }, [isHeld, ms]);

  useLayoutEffect(() => {
    const shownCard = card.current;
    return () => {
      // Before it is removed: afterwards nothing says what had the focus.
      if (shownCard?.contains(document.activeElement)) {
        queueMicrotask(focusContentIfLost);
      }
    };
  }, []);

  useShortcut(
    shortcuts.undo,
    () => {
      toast.close();
      action?.run();
    },
    action !== undefined,
  );

  const Icon = icons[tone];
  return (
    <Card
      ref={card}
      data-tone={tone}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={({ currentTarget, relatedTarget }) => setFocused(currentTarget.contains(relatedTarget))}
    >
      <Icon aria-hidden size={18} />
      <span>{typeof content === "string" ? content : errorText(content.thrown)}</span>
      {action && (
        <Action
          type="button"
          onClick={() => {
            toast.close();
            action.run();
          }}
        >
          {action.label}
        </Action>
      )}
      <IconButton label={t("close")} size="small" onClick={toast.close}>
        <X />
      </IconButton>
    </Card>
  );
}

const icons = { success: CircleCheck, info: Info, error: CircleAlert } as const;

function show(tone: Tone, content: Shown["content"], action: ToastAction | undefined, mayWait = false): void {
  count += 1;
  const shown = { id: count, tone, content, action };
  if (mayWait && current?.tone === "error") {
    waiting = shown;
  } else {
    set(shown);
  }
}

function set(next: Shown | undefined): void {
  current = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const edge = "max(16px, env(safe-area-inset-bottom))";
const Region = styled("div")({
  position: "fixed",
  zIndex: layer.toast,
  // Above the composer, so that its buttons stay usable; at the bottom in browsers without CSS anchors.
  inset: `auto 0 ${edge}`,
  bottom: `max(${edge}, anchor(${toastAnchor} top, 0px) + 8px)`,
  // Under the head of a dialog that fills a phone and has its buttons, or its field below a talk, at the bottom.
  [media.phone]: { "body:has([data-fills=phone] :is(footer, [role=log])) &": { inset: "72px 0 auto" } },
  display: "flex",
  justifyContent: "center",
  padding: "0 12px",
  pointerEvents: "none",
});

const Card = styled("div")({
  pointerEvents: "auto",
  display: "flex",
  alignItems: "center",
  gap: 10,
  maxWidth: 560,
  minHeight: 44,
  padding: "6px 8px 6px 14px",
  borderRadius: 10,
  border: `1px solid ${color.line}`,
  backgroundColor: color.raised,
  color: color.ink,
  boxShadow: color.shadow,
  fontSize: 13,
  lineHeight: 1.4,
  animation: "prosa-rise 120ms ease-out",
  "& > svg": { flex: "none", color: color.accent },
  "&[data-tone='info'] > svg": { color: color.tick },
  "&[data-tone='error'] > svg": { color: color.danger },
});

const Action = styled("button")({
  flex: "none",
  border: 0,
  padding: "6px 8px",
  borderRadius: 6,
  background: "none",
  color: color.accent,
  fontWeight: 600,
  cursor: "pointer",
  "&:hover": { backgroundColor: color.accentSoft },
  [media.coarse]: { minWidth: size.finger, minHeight: size.finger },
});

const messages = defineMessages({
  pt: { close: "Fechar" },
  en: { close: "Close" },
  es: { close: "Cerrar" },
});

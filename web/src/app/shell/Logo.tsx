import { color } from "#web/ui/theme.ts";

/** The mark of the product; decorative beside its name. */
export function Logo({ size = 26 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false" style={{ flex: "none" }}>
      <rect width="32" height="32" rx="8" fill={color.accent} />
      <path
        fill={color.onAccent}
        fillRule="evenodd"
        d="M10.5 7.5h6.8c4 0 6.4 2.3 6.4 5.8s-2.5 5.9-6.5 5.9h-2.8v5.3h-3.9zm3.9 3.3v5.1h2.3c2 0 3-.9 3-2.6 0-1.6-1-2.5-3-2.5z"
      />
    </svg>
  );
}

import type { ReactNode } from "react";
import { useMedia } from "#web/lib/browser/hooks.ts";
import { Button } from "./Button.tsx";
import { IconButton } from "./IconButton.tsx";
import { media } from "./tokens.ts";

/** A secondary action in the head of a screen: an icon with its words; on a phone, where three do not fit, the icon alone. */
export function ScreenAction(props: {
  readonly label: string;
  readonly icon: ReactNode;
  readonly onClick: () => void;
}) {
  const { label, icon, onClick } = props;
  return useMedia(media.phone) ? (
    <IconButton label={label} onClick={onClick}>
      {icon}
    </IconButton>
  ) : (
    <Button icon={icon} onClick={onClick}>
      {label}
    </Button>
  );
}

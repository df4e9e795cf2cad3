import { addGlobalStyle, styled } from "#web/ui/styled.ts";
import { color, media } from "#web/ui/theme.ts";

/** The place of the calendar on the screen. */
export const CalendarFrame = styled("div")({
  padding: "0 20px 20px",
  fontSize: 13,
  [media.phone]: { padding: "0 12px 12px" },
});

/**
 * The colours and sizes of the library, which it takes as variables; of the whole page, because it draws the rest of a full
 * day outside of its frame.
 */
addGlobalStyle({
  ":root": {
    "--fc-classic-primary": color.accent,
    "--fc-classic-primary-foreground": color.onAccent,
    "--fc-classic-event": "transparent",
    "--fc-classic-event-contrast": color.ink,
    "--fc-classic-highlight": color.accentSoft,
    "--fc-classic-today": color.note,
    "--fc-classic-now": color.danger,
    "--fc-classic-background": color.panel,
    "--fc-classic-faint": color.background,
    "--fc-classic-muted": color.hover,
    "--fc-classic-strong": color.chip,
    "--fc-classic-foreground": color.ink,
    "--fc-classic-faint-foreground": color.ink2,
    "--fc-classic-muted-foreground": color.ink2,
    "--fc-classic-border": color.line,
    "--fc-classic-strong-border": color.lineStrong,
    "--fc-classic-small-dot-width": "8px",
    "--fc-classic-large-dot-width": "0px",
    "--fc-classic-background-event-opacity": "15%",
    "--fc-classic-background-event-foreground-opacity": "50%",
  },
});

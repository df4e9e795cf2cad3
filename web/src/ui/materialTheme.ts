/** Theme of Material's components. Colours are CSS variables, so light and dark share it. */
import { createTheme } from "@mui/material/styles";
import { color, fontFamily, layer, MOTION_MS, size } from "./tokens.ts";

export const theme = createTheme({
  // The browser mixes shades from our CSS variables, so Material needs no light and dark palettes.
  // Material must not set color-scheme: the first dialog would turn date pickers and scroll bars of the dark theme light.
  cssVariables: { nativeColor: true, disableCssColorScheme: true },
  palette: {
    primary: { main: color.accent, dark: color.accentHover, contrastText: color.onAccent },
    error: { main: color.danger, contrastText: color.onDanger },
    warning: { main: color.warning },
    info: { main: color.tick },
    success: { main: color.accent, contrastText: color.onAccent },
    text: { primary: color.ink, secondary: color.ink2, disabled: color.ink3 },
    divider: color.line,
    background: { default: color.background, paper: color.panel },
    action: {
      hover: color.hover,
      selected: color.accentSoft,
      disabled: color.ink3,
      disabledBackground: color.chip,
      active: color.ink2,
    },
  },
  spacing: 4,
  shape: { borderRadius: size.radius },
  breakpoints: { values: { xs: 0, sm: size.phoneBelow, md: 900, lg: size.drawerOpensAbove, xl: 1536 } },
  typography: {
    fontFamily,
    fontSize: 14,
    fontWeightMedium: 500,
    fontWeightBold: 600,
    body1: { fontSize: 14, lineHeight: 1.45 },
    body2: { fontSize: 13, lineHeight: 1.4 },
    caption: { fontSize: 12, lineHeight: 1.35 },
    h1: { fontSize: 18, fontWeight: 600, lineHeight: 1.3, letterSpacing: "-0.01em" },
    h2: { fontSize: 16, fontWeight: 600, lineHeight: 1.3, letterSpacing: "-0.01em" },
    h3: { fontSize: 14, fontWeight: 600, lineHeight: 1.35 },
    button: { fontSize: 13, fontWeight: 600, textTransform: "none", lineHeight: 1.4 },
  },
  transitions: {
    duration: {
      shortest: MOTION_MS,
      shorter: MOTION_MS,
      short: MOTION_MS,
      standard: MOTION_MS,
      complex: MOTION_MS,
      enteringScreen: MOTION_MS,
      leavingScreen: 100,
    },
  },
  zIndex: { drawer: layer.drawer, modal: layer.popover, tooltip: layer.tooltip, snackbar: layer.toast },
  components: {
    MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: "none" } } },
    MuiDialog: {
      styleOverrides: {
        paper: {
          backgroundColor: color.raised,
          border: `1px solid ${color.line}`,
          borderRadius: 12,
          boxShadow: color.shadow,
        },
        paperFullScreen: { border: 0, borderRadius: 0 },
      },
    },
    MuiBackdrop: {
      styleOverrides: { root: { "&:not(.MuiBackdrop-invisible)": { backgroundColor: color.scrim } } },
    },
    MuiDrawer: { styleOverrides: { paper: { backgroundColor: color.panel, borderColor: color.line } } },
  },
});

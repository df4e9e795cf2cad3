/** Material's components with our theme, in one chunk outside of the first load. */
import MuiDialog, { type DialogProps } from "@mui/material/Dialog";
import MuiDrawer, { type DrawerProps } from "@mui/material/Drawer";
import { ThemeProvider } from "@mui/material/styles";
import { theme } from "./materialTheme.ts";

export function Dialog(props: DialogProps) {
  return (
    <ThemeProvider theme={theme}>
      <MuiDialog {...props} />
    </ThemeProvider>
  );
}

export function Drawer(props: DrawerProps) {
  return (
    <ThemeProvider theme={theme}>
      <MuiDrawer {...props} />
    </ThemeProvider>
  );
}

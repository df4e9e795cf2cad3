/** Material's components and our theme for them, in one chunk that the first load does not wait for. */
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

/** The chunk of everything that pops up: behaviour by Base UI, look by us (decision 0156). Entered through `latePopups.tsx`. */
export { ConfirmDialog } from "./Confirms.tsx";
export { DialogPopup } from "./DialogPopup.tsx";
export { DrawerPopup } from "./DrawerPopup.tsx";
export { MenuPopup } from "./MenuPopup.tsx";
export { PopoverPopup } from "./PopoverPopup.tsx";
export { Tooltips } from "./Tooltips.tsx";

export { ContactDialog, contactFieldOfError } from "./ContactDialog.tsx";
export { ContactExtraInfo } from "./ContactExtraInfo.tsx";
export { ContactFinder } from "./ContactFinder.tsx";
export { contactLookupOptions, contactOptions, findOrCreateContact } from "./contacts.api.ts";
export { contactMessages } from "./contacts.i18n.ts";
export { contactsRealtime } from "./contacts.realtime.ts";
export {
  contactListRealtime,
  contactsResource,
  isRunning,
  useBlock,
  useContactImport,
  useExport,
  usePhoneImport,
  useSaveContact,
} from "./contact-list.api.ts";
export { contactListMessages } from "./contact-list.i18n.ts";
export { ContactImportPanel, ImportPanel } from "./ImportPanel.tsx";
export { MergeDialog, MergeNotice } from "./MergeDialog.tsx";
export { useFileImport, type FileImport, type StartImport } from "./file-import.ts";

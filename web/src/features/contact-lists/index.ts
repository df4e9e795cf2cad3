export { CheckPanel } from "./CheckPanel.tsx";
export { ContactListDialog } from "./ContactListDialog.tsx";
export {
  contactListItemsResource,
  contactListOptions,
  contactListsRealtime,
  contactListsResource,
  listImportOptions,
  useCancelListImport,
  useCheckNumbers,
  useListImport,
  useRefusedRows,
} from "./contact-lists.api.ts";
export { contactListsMessages } from "./contact-lists.i18n.ts";
export { ExampleButton, ExampleLink } from "./ExampleLink.tsx";
export { FillDialog } from "./FillDialog.tsx";
export { ImportDialog } from "./ImportDialog.tsx";
export { ItemDialog } from "./ItemDialog.tsx";
export { ValidIcon } from "./ValidIcon.tsx";

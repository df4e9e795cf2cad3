export { supportOptions, supportRealtime, useEndSupport } from "./support.api.ts";
export { supportMessages } from "./support.i18n.ts";
export { useSupport } from "./SupportButton.tsx";
export { AllowForm, SupportCard } from "./SupportCard.tsx";

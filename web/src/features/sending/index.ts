export { ContactOptOut } from "./ContactOptOut.tsx";
export { OptedOutWarning } from "./OptedOutWarning.tsx";
export { optOutsRealtime, sendingRulesOptions } from "./sending.api.ts";
export { SendingRules } from "./SendingRules.tsx";
export { useHeldText } from "./useHeldText.ts";
export { WarmUpTab } from "./WarmUpTab.tsx";

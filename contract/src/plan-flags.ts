/** Plan flags of specification 2 section 3; all true by default. */
export const planFlags = [
  "useCampaigns",
  "useSchedules",
  "useInternalChat",
  "useExternalApi",
  "useKanban",
  "useOpenAi",
  "useIntegrations",
] as const;
export type PlanFlag = (typeof planFlags)[number];

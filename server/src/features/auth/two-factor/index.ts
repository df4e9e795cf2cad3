export { accountOf, provenAccount } from "./own-second-factor.ts";
export { ensureRecoveryCodes, recordOf } from "./set-up.ts";
export { resetSecondFactor } from "./reset-second-factor.ts";
export { deleteRecoveryCodes, sealedSecrets } from "./two-factor.queries.ts";
export { twoFactorRoutes } from "./two-factor.routes.ts";

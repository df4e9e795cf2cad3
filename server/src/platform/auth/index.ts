export { hashPassword, isLegacyHash, verifyPassword } from "./passwords.ts";
export { createKeyRotation } from "./rotate-encryption-keys.ts";
export type { SealedColumn, SealedRow } from "./rotate-encryption-keys.ts";
export { createSessions } from "./sessions.ts";
export type {
  CompanyLocale,
  CompanyStatus,
  LiveApiKey,
  LiveSession,
  LiveToken,
  LoadApiKey,
  LoadSession,
  LoadToken,
  Sessions,
} from "./sessions.ts";
export { companyClosedError } from "./company-closed.ts";
export { createSigner } from "./signer.ts";
export type { Signer, Verification } from "./signer.ts";
export { tokenHashOf, tokenTaken, withToken } from "./api-tokens.ts";
export { createAccessTokens, hashSecret, isSameSecret, newSecret } from "./tokens.ts";
export type { AccessClaims, AccessTokens } from "./tokens.ts";
export { deriveTypedCode, hashTypedCode, newTypedCode } from "./typed-codes.ts";
export { DamagedValueError, VaultError, createVault, openUnlessLost } from "./vault.ts";
export type { Vault } from "./vault.ts";

export { hashPassword, verifyPassword } from "./passwords.ts";
export { createSessions } from "./sessions.ts";
export type { CompanyStanding, LiveSession, LiveToken, LoadSession, LoadToken, Sessions } from "./sessions.ts";
export { createSigner } from "./signer.ts";
export type { Signer, Verdict } from "./signer.ts";
export { createAccessTokens, hashSecret, isSameSecret, newSecret } from "./tokens.ts";
export type { AccessClaims, AccessTokens } from "./tokens.ts";
export { VaultError, createVault } from "./vault.ts";
export type { Vault } from "./vault.ts";

import { hashTypedCode } from "#server/platform/auth/index.ts";
import type { Signer } from "#server/platform/auth/index.ts";

/** Hash of a code. Covers what the code depends on: the account with its present e-mail and password. */
export function hashResetCode(
  signer: Signer,
  { id, email, password_hash }: { readonly id: number; readonly email: string; readonly password_hash: string },
  code: string,
): string {
  return hashTypedCode(signer, "password reset", [id, email, password_hash], code);
}

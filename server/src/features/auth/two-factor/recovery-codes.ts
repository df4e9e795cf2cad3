import { recoveryCodeCount } from "@prosa/contract";
import { hashTypedCode, newTypedCode } from "#server/platform/auth/index.ts";
import type { Signer } from "#server/platform/auth/index.ts";

export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, newTypedCode);
}

export function hashRecoveryCode(signer: Signer, userId: number, code: string): string {
  return hashTypedCode(signer, "recovery code", [userId], code);
}

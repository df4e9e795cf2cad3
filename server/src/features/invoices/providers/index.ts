export { createAsaas } from "./asaas.ts";
export { brCodeOf, plainText } from "./br-code.ts";
export { usualRules } from "./call.ts";
export type { CallRules, TlsIdentity } from "./call.ts";
export { createEfi } from "./efi.ts";
export { ProviderError } from "./port.ts";
export type { PixProvider } from "./port.ts";

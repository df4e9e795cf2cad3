import { startAsaas } from "./asaas-server.ts";
import { startEfi, testTls } from "./efi-server.ts";

export interface LocalProviders {
  readonly efi: Awaited<ReturnType<typeof startEfi>>;
  readonly asaas: Awaited<ReturnType<typeof startAsaas>>;
  /** Of the invoices feature: where the providers are, and whose certificates they have. */
  readonly addresses: {
    readonly efi: { readonly production: string; readonly sandbox: string };
    readonly asaas: { readonly production: string; readonly sandbox: string };
    readonly ca: string;
  };
  readonly close: () => Promise<unknown>;
}

/** Efí and Asaas on this machine. */
export async function startLocalProviders(): Promise<LocalProviders> {
  const [efi, asaas] = await Promise.all([startEfi(), startAsaas()]);
  return {
    efi,
    asaas,
    addresses: {
      efi: { production: efi.url, sandbox: "https://127.0.0.1:1" },
      asaas: { production: asaas.url, sandbox: "http://127.0.0.1:1" },
      ca: testTls.authority,
    },
    close: () => Promise.all([efi.close(), asaas.close()]),
  };
}

/** A provider of Pix charges that tells when one was paid: Efí and Asaas. The static BR Code needs none (`br-code.ts`). */
export interface PixProvider {
  /**
   * Makes the charge, or finds it where an earlier attempt has made it: by its txid there is only one. Throws ProviderError.
   */
  charge(request: ChargeRequest, signal: AbortSignal): Promise<MadeCharge>;
  /** What was paid of a charge; the only source for that, a webhook is a hint. Throws ProviderError. */
  paymentsOf(charge: AskedCharge, signal: AbortSignal): Promise<readonly ProviderPayment[]>;
  /** Enters the address of our webhook at the provider, where that is done by a call. Throws ProviderError. */
  registerWebhook?(url: string, signal: AbortSignal): Promise<void>;
}

export interface ChargeRequest {
  /** 32 letters and digits. */
  readonly txid: string;
  /** Reais. */
  readonly value: number;
  /** What the payer reads. */
  readonly description: string;
  readonly dueDate: string;
  /** Seconds for which the QR code is valid, where the provider has such an end. */
  readonly validSeconds: number;
  readonly payer: {
    readonly companyId: number;
    readonly name: string;
    readonly email: string | null;
    /** Digits of a CPF or CNPJ, or "". */
    readonly taxId: string;
  };
}

export interface MadeCharge {
  readonly brCode: string;
  /** The provider's own id of the charge. */
  readonly reference: string;
  readonly expiresAt: Date | null;
}

export interface AskedCharge {
  readonly txid: string;
  readonly reference: string | null;
}

export interface ProviderPayment {
  /** Unique for the provider. */
  readonly reference: string;
  /** Reais. */
  readonly value: number;
  readonly paidAt: Date;
  /** All that was given back of it until now, in reais. */
  readonly returned: number;
  /** Why: the receiver gave it back, or the payer's bank took it. */
  readonly returnKind: "refund" | "chargeback";
}

/** `unavailable`: the same call may work later; `refused`: the operator or the payer has to change something. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly kind: "unavailable" | "refused";
  readonly status: number | undefined;

  constructor(kind: ProviderError["kind"], message: string, options?: ErrorOptions & { readonly status?: number }) {
    super(message, options);
    this.kind = kind;
    this.status = options?.status;
  }
}

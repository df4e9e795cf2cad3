/**
 * The header by which a POST may be sent again without anything being made twice (decision 0299), named by the IETF's draft "The
 * Idempotency-Key HTTP Header Field". Its value is of the client's making, another one for each request.
 */
export const idempotencyKey = { header: "idempotency-key", minLength: 8, maxLength: 64 } as const;

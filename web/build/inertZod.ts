/** Stands in for zod where only the types of the contract are used: every property and every call is itself again. */
const inert: unknown = new Proxy(() => undefined, { get: () => inert, apply: () => inert });

export const z = inert;

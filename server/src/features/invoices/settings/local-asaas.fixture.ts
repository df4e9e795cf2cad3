import { realHosts } from "./open-provider.ts";

/** Preloaded into a server process of a test (`--import`): Asaas is the local server of the test. */
Object.assign(realHosts.asaas, { production: process.env["TEST_ASAAS_URL"] });

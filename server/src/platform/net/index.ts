export { isPrivateHost, PrivateAddressError, publicLookup, refusePrivateAddress } from "./private-addresses.ts";

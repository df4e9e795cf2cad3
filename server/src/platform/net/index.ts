export { addressBlock } from "./address-block.ts";
export { isPrivateHost, PrivateAddressError, publicLookup, refusePrivateAddress } from "./private-addresses.ts";

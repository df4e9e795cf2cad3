export { addressBlock } from "./address-block.ts";
export { isOutOfReach, PrivateAddressError, publicLookup, refusePrivateAddress } from "./private-addresses.ts";

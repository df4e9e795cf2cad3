export { addressBlock, addressSite } from "./address-block.ts";
export { isOutOfReach, PrivateAddressError, publicLookup, refusePrivateAddress } from "./private-addresses.ts";

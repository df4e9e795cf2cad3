export { addressBlock, addressSite } from "./address-block.ts";
export { isRefusedUrl, PrivateAddressError, publicLookup, refusePrivateAddress } from "./private-addresses.ts";

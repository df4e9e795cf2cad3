export { copyFamily, createFamily, dropFamily } from "./create-family.ts";
export { familySchema } from "./family-schema.ts";
export { fillFamily } from "./fill-family.ts";

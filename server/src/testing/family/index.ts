export { familySchema } from "./family-schema.ts";
export { fillFamily } from "./fill-family.ts";

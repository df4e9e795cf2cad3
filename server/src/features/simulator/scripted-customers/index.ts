export { scriptedCustomersPart } from "./scripted-customers.part.ts";

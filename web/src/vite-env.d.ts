/// <reference types="vite/client" />
declare module "@fontsource-variable/inter";
declare module "virtual:texts/*" {
  import type { Message } from "@prosa/contract/i18n";
  const texts: Readonly<Record<string, Readonly<Record<string, Message>>>>;
  export default texts;
}

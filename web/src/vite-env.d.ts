/// <reference types="vite/client" />
declare module "@fontsource-variable/inter";
declare module "virtual:texts/*" {
  const texts: Readonly<Record<string, Readonly<Record<string, import("@prosa/contract/i18n").Message>>>>;
  export default texts;
}

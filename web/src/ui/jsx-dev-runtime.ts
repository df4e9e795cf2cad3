/** The same while developing, with React's warnings. */
import { jsxDEV as reactJsxDev } from "react/jsx-dev-runtime";
import { hostOf, propsOf } from "./styled.ts";

export { Fragment } from "react/jsx-dev-runtime";

export const jsxDEV: typeof reactJsxDev = (type, props, ...rest) => {
  const host = hostOf(type);
  const given = props as Parameters<typeof propsOf>[1];
  return host ? reactJsxDev(given.as ?? host.tag, propsOf(host, given), ...rest) : reactJsxDev(type, props, ...rest);
};

import { settingValues } from "@prosa/contract";
import { AppError } from "#server/platform/ctx.ts";
import type { RequestScope } from "#server/platform/http/index.ts";
import type { Services } from "#server/platform/services.ts";
import { listSettings } from "./settings.service.ts";
import type { SettingView } from "./settings.view.ts";

/** Where the setting `asaas` is kept: with the operator's payment account, so that there is one of it (decision 0070). */
export interface OperatorToken {
  isSet(services: Services): Promise<boolean>;
  /** Empty removes it. `ownId`: the operator's company. */
  save(services: Services, ownId: number, token: string): Promise<void>;
}

export function isOperatorToken(key: string): boolean {
  return key === "asaas";
}

/** The company's settings; to the operator with whether its token is set, to everybody else as if there were none (G-02). */
export async function listWithToken(
  scope: RequestScope,
  services: Services,
  token: OperatorToken,
): Promise<SettingView[]> {
  const all = await scope.read(listSettings);
  return scope.actor?.kind === "user" && scope.actor.isSuper && (await token.isSet(services))
    ? all.map((setting) => (isOperatorToken(setting.key) ? { ...setting, value: "set" } : setting))
    : all;
}

/** Saves the operator's token. The answer says only whether it is set. Throws ERR_NO_PERMISSION for everybody else (G-02). */
export async function saveOperatorToken(
  { actor }: RequestScope,
  services: Services,
  token: OperatorToken,
  value: string,
): Promise<SettingView> {
  if (actor?.kind !== "user" || !actor.isSuper) {
    throw new AppError("ERR_NO_PERMISSION");
  }
  const given = settingValues.asaas.parse(value);
  await token.save(services, actor.companyId, given);
  return { key: "asaas", value: given === "" ? "" : "set" };
}

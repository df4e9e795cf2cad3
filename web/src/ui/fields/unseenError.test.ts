import type { FieldErrors } from "react-hook-form";
import { expect, test } from "vitest";
import { unseenError } from "./unseenError.ts";

const errors = { queueId: { type: "too_small", message: "Campo obrigatório" } };
const form = (text: string, hasMarked = false) => ({
  textContent: text,
  querySelector: () => (hasMarked ? {} : null),
});
const empty = { textContent: "" };

test("an error whose field is not shown is told by the form (S-11)", () => {
  expect(unseenError(errors, form("Nome Salvar"), empty)).toBe("Campo obrigatório");
  // its own words do not hide it again
  const alert = { textContent: "Não foi possível salvar: Campo obrigatório" };
  expect(unseenError(errors, form(`Nome${alert.textContent}Salvar`), alert)).toBe("Campo obrigatório");
});

test("what a field says is not said twice, nor is anything while a field is marked (S-11)", () => {
  expect(unseenError(errors, form("Fila Campo obrigatório Salvar"), empty)).toBeUndefined();
  expect(unseenError(errors, form("Nome Salvar", true), empty)).toBeUndefined();
  expect(unseenError({}, form("Nome Salvar"), empty)).toBeUndefined();
  expect(unseenError({ root: { type: "network" } } as FieldErrors, form("Nome Salvar"), empty)).toBeUndefined();
});

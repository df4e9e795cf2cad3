import { ApiError } from "#web/lib/api/apiError.ts";
import { errorText } from "#web/lib/api/errors.i18n.ts";
import { defineMessages, type Language } from "#web/lib/text/i18n.ts";

/** Texts of the operator's lists (companies, plans, help videos), word for word from specification 2 section 8. */
export const recordMessages = defineMessages({
  pt: {
    loadFailed: "Não foi possível carregar a lista de registros",
    done: "Operação realizada com sucesso!",
    deleteFailed: "Não foi possível realizar a operação",
    deleteTitle: "Deseja realmente excluir esse registro?",
    deleteVerb: "Excluir",
  },
  en: {
    loadFailed: "The list of records could not be loaded",
    done: "Operation completed successfully!",
    deleteFailed: "The operation could not be completed",
    deleteTitle: "Do you really want to delete this record?",
    deleteVerb: "Delete",
  },
  es: {
    loadFailed: "No se pudo cargar la lista de registros",
    done: "¡Operación realizada con éxito!",
    deleteFailed: "No se pudo realizar la operación",
    deleteTitle: "¿Realmente desea eliminar este registro?",
    deleteVerb: "Eliminar",
  },
});

/** Why a deletion failed: the specification's text, and the reason. */
export function deleteFailure(words: string, error: unknown, language: Language): string {
  return error instanceof ApiError ? `${words}. ${errorText(error, language)}` : words;
}

import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { useLanguage } from "#web/lib/text/i18n.ts";
import { serverFieldErrors } from "#web/ui/fields/formRules.ts";
import { toast } from "#web/ui/Toast.tsx";

/** Shows what the server refused: at its fields, of which the first gets the focus, otherwise as a toast. `fieldOfError`: of an error's code. */
export function useRefusal<V extends FieldValues>(
  form: UseFormReturn<V>,
  fieldOfError: Readonly<Partial<Record<string, Path<V>>>>,
): (error: unknown) => void {
  const language = useLanguage();
  return (error) => {
    const shown = serverFieldErrors(error, fieldOfError, language).filter(({ name }) => name in form.getValues());
    shown.forEach(({ name, message }, index) =>
      form.setError(name as Path<V>, { message }, { shouldFocus: index === 0 }),
    );
    if (shown.length === 0) {
      toast.failure(error);
    }
  };
}

import { useEffect, useState } from "react";
import { useForm, type FieldValues, type UseFormProps, type UseFormReturn } from "react-hook-form";
import { useLanguage } from "#web/lib/text/i18n.ts";
import { contractResolver, type LoadSchema } from "./formRules.ts";

/** A form that is validated by the contract's schema. That is fetched as the form opens, so that saving seldom waits for it. */
export function useContractForm<V extends FieldValues>({
  schema,
  ...options
}: Omit<UseFormProps<V>, "resolver"> & { readonly schema: LoadSchema | undefined }): UseFormReturn<V> {
  const language = useLanguage();
  // a new function at each rendering: the one that the form opened with is called
  const [opened] = useState(() => schema);
  useEffect(() => {
    // Not offline: a browser may not try again what it could not import once. Saving tells of a failure.
    if (opened && navigator.onLine) {
      opened().catch(() => undefined);
    }
  }, [opened]);
  return useForm<V>({ ...options, ...(schema && { resolver: contractResolver<V>(schema, language) }) });
}

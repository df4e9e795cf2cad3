import { knowledgeKinds, knowledgeRules, type KnowledgeSource } from "@prosa/contract/knowledge";
import { useQuery } from "@tanstack/react-query";
import { Paperclip } from "lucide-react";
import { useRef, useState } from "react";
import { promptsResource } from "#web/features/prompts/index.ts";
import { useFormat } from "#web/lib/text/format.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { CheckList } from "#web/ui/fields/CheckList.tsx";
import { Field, SwitchField, TextArea, TextField } from "#web/ui/fields/Field.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { ErrorState, Skeleton } from "#web/ui/states.tsx";
import { styled } from "#web/ui/styled.ts";
import { knowledgeResource, knowledgeSourceOf, useKnowledgeFile } from "./knowledge.api.ts";
import { knowledgeMessages } from "./knowledge.i18n.ts";

interface Values {
  readonly name: string;
  readonly kind: KnowledgeSource["kind"];
  readonly text: string;
  readonly isForAll: boolean;
  readonly promptIds: readonly number[];
  /** A new file; only a name where the stored one is kept. */
  readonly file: File | { readonly name: string } | null;
}
interface DialogProps {
  readonly source: KnowledgeSource | undefined;
  readonly onClose: () => void;
}

const accepted = ".pdf,.docx,.txt,.md";

/** Adds or changes a source of knowledge; the text of a page is fetched first (O-08). */
export function KnowledgeDialog({ source, onClose }: DialogProps) {
  const t = useMessages(knowledgeMessages);
  const needsText = source?.kind === "text";
  const found = useQuery({ ...knowledgeSourceOf(source?.id ?? 0), enabled: needsText });
  // A later fetch, after any event, leaves the form with what is typed in it.
  if (needsText && found.data === undefined) {
    return (
      <InfoDialog title={t("edit", { name: source.name })} onClose={onClose}>
        {found.error ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <Skeleton style={{ height: 240 }} />
        )}
      </InfoDialog>
    );
  }
  return <SourceForm source={source} text={found.data?.text ?? ""} onClose={onClose} />;
}

function SourceForm({ source, text, onClose }: DialogProps & { readonly text: string }) {
  const t = useMessages(knowledgeMessages);
  const save = knowledgeResource.useSave();
  const saveFile = useKnowledgeFile();
  const prompts = promptsResource.useList().rows;
  // After a refused file the source exists, and stays of its kind: the next attempt updates all of it.
  const [savedId, setSavedId] = useState<number>();
  const id = savedId ?? source?.id;

  return (
    <FormDialog<Values>
      title={source ? t("edit", { name: source.name }) : t("add")}
      values={{
        name: source?.name ?? "",
        kind: source?.kind ?? "text",
        text,
        isForAll: source?.isForAll ?? true,
        promptIds: source?.prompts.map(({ id }) => id) ?? [],
        file: source?.fileName ? { name: source.fileName } : null,
      }}
      schema={() => import("#schemas/knowledge").then((module) => module.knowledgeBody)}
      fieldOfError={{ ERR_NAME_TAKEN: "name", ERR_FILE_TYPE: "file", ERR_FILE_TOO_LARGE: "file" }}
      savedText={t("saved")}
      onClose={onClose}
      onSave={async ({ file, kind, ...whole }, { file: _file, kind: _kind, ...changed }) => {
        const ofKind = ({ text: written, promptIds, ...fields }: Partial<typeof whole>) => ({
          ...fields,
          ...(fields.isForAll ? { promptIds: [] } : promptIds && { promptIds: [...promptIds] }),
          ...(kind === "text" && written !== undefined && { text: written }),
        });
        const saved = await save.mutateAsync({
          id,
          body:
            id === undefined
              ? { ...ofKind(whole), name: whole.name, kind }
              : ofKind(savedId === undefined ? changed : whole),
        });
        setSavedId(saved.id);
        if (kind === "file" && file instanceof File) {
          await saveFile.mutateAsync({ id: saved.id, file });
        }
      }}
    >
      {(form, errorOf) => {
        const kind = form.watch("kind");
        const chosen = form.watch("file");
        return (
          <>
            <TextField label={t("name")} maxLength={100} error={errorOf("name")} {...form.register("name")} />
            {source === undefined && (
              <SelectField
                label={t("kind")}
                hint={t(`kindHint_${kind}`)}
                disabled={id !== undefined}
                {...form.register("kind")}
              >
                {knowledgeKinds.map((one) => (
                  <option key={one} value={one}>
                    {t(`kind_${one}`)}
                  </option>
                ))}
              </SelectField>
            )}
            {kind === "text" && (
              <TextArea
                label={t("text")}
                hint={t("textHint")}
                style={{ minHeight: 220 }}
                error={errorOf("text")}
                {...form.register("text")}
              />
            )}
            {kind === "file" && (
              <FileChoice
                name={chosen?.name}
                failure={chosen instanceof File ? null : (source?.failure ?? null)}
                error={errorOf("file")}
                onChoose={(file) => {
                  form.clearErrors("file");
                  form.setValue("file", file, { shouldDirty: true });
                  if (form.getValues("name").trim() === "") {
                    form.setValue("name", file.name.replace(/\.[^.]+$/u, "").slice(0, 100), { shouldDirty: true });
                  }
                }}
              />
            )}
            <SwitchField label={t("isForAll")} {...form.register("isForAll")} />
            {!form.watch("isForAll") && (
              <CheckList
                label={t("prompts")}
                note={prompts.length === 0 ? t("noPrompts") : undefined}
                items={prompts.map(({ id, name }) => ({ id, name }))}
                chosen={form.watch("promptIds")}
                onChange={(ids) => form.setValue("promptIds", ids, { shouldDirty: true })}
              />
            )}
          </>
        );
      }}
    </FormDialog>
  );
}

function FileChoice(props: {
  readonly name: string | undefined;
  /** Why the file that is there cannot be read. */
  readonly failure: KnowledgeSource["failure"];
  readonly error: string | undefined;
  readonly onChoose: (file: File) => void;
}) {
  const t = useMessages(knowledgeMessages);
  const format = useFormat();
  const picker = useRef<HTMLInputElement>(null);
  const { failure } = props;
  const limits = {
    pages: format.number(knowledgeRules.maxPages),
    letters: format.number(knowledgeRules.maxFileText),
  };
  const found = failure === null ? undefined : `${t(`failed_${failure}`)}. ${t(`mend_${failure}`, limits)}`;
  return (
    <Field label={t("file")} hint={t("kindHint_file")} error={props.error ?? found}>
      {(control) => (
        <Chosen>
          <input
            {...control}
            ref={picker}
            type="file"
            accept={accepted}
            hidden
            data-testid="knowledge-file"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              // so that choosing the same file again fires a change
              target.value = "";
              if (file) {
                props.onChoose(file);
              }
            }}
          />
          <Button icon={<Paperclip size={15} />} onClick={() => picker.current?.click()}>
            {t(props.name === undefined ? "chooseFile" : "changeFile")}
          </Button>
          {props.name !== undefined && <span>{props.name}</span>}
        </Chosen>
      )}
    </Field>
  );
}

const Chosen = styled("div")({
  display: "flex",
  alignItems: "center",
  flexWrap: "wrap",
  gap: "4px 10px",
  minWidth: 0,
  fontSize: 13,
  "& > button": { flex: "none" },
  "& > span": { minWidth: 0, overflowWrap: "anywhere" },
});

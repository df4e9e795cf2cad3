import { useState } from "react";
import { promptsResource } from "#web/features/prompts/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { TextField } from "#web/ui/fields/Field.tsx";
import { InfoDialog } from "#web/ui/dialogs/InfoDialog.tsx";
import { SelectField } from "#web/ui/fields/SelectField.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { toast } from "#web/ui/Toast.tsx";
import { useKnowledgeSearch } from "./knowledge.api.ts";
import { knowledgeMessages } from "./knowledge.i18n.ts";

/** Asks as a customer, and shows the passages that an assistant would be given (O-08). */
export function TryKnowledge({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages(knowledgeMessages);
  const prompts = promptsResource.useList().rows;
  const search = useKnowledgeSearch();
  const [question, setQuestion] = useState("");
  const [promptId, setPromptId] = useState("");
  const found = search.data?.passages;
  const ask = () =>
    search.mutate(
      { question, promptId: promptId === "" ? undefined : Number(promptId) },
      { onError: (error) => toast.failure(error) },
    );

  return (
    <InfoDialog title={t("tryIt")} onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <TextField
          autoFocus
          label={t("question")}
          hint={t("questionHint")}
          maxLength={2_000}
          value={question}
          onChange={({ target }) => setQuestion(target.value)}
        />
        <SelectField label={t("asWhom")} value={promptId} onChange={({ target }) => setPromptId(target.value)}>
          <option value="">{t("anyPrompt")}</option>
          {prompts.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <Button kind="primary" type="submit" isBusy={search.isPending} disabled={question.trim() === ""}>
          {t("find")}
        </Button>
      </Form>
      <div aria-live="polite">
        {found?.length === 0 && <Nothing>{t("nothing")}</Nothing>}
        {found?.map(({ source, heading, page, text, foundBy }, index) => (
          <Passage key={index}>
            <b>
              {[source, heading, page === null ? "" : t("page", { page })].filter((part) => part !== "").join(" · ")}
            </b>
            <small>{t(foundBy.length > 1 ? "foundBy_both" : `foundBy_${foundBy[0] ?? "words"}`)}</small>
            <p>{text}</p>
          </Passage>
        ))}
      </div>
    </InfoDialog>
  );
}

const Form = styled("form")({
  display: "flex",
  flexDirection: "column",
  gap: 12,
  marginBottom: 16,
  "& > button": { alignSelf: "flex-start" },
});
const Nothing = styled("p")({ fontSize: 13, color: color.ink2 });
const Passage = styled("article")({
  padding: "10px 0",
  borderTop: `1px solid ${color.line}`,
  fontSize: 13,
  overflowWrap: "anywhere",
  "& b": { fontWeight: 600 },
  "& small": { display: "block", fontSize: 12, color: color.ink2 },
  "& p": { marginTop: 4, whiteSpace: "pre-wrap", color: color.ink2 },
});

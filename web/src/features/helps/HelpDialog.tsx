import type { Help, HelpBody } from "@prosa/contract/helps";
import { useMessages } from "#web/lib/text/i18n.ts";
import { recordMessages } from "#web/lib/records/records.i18n.ts";
import { TextArea, TextField } from "#web/ui/fields/Field.tsx";
import { FormDialog } from "#web/ui/dialogs/FormDialog.tsx";
import { styled } from "#web/ui/styled.ts";
import { helpsResource } from "./helps.api.ts";
import { helpMessages } from "./helps.i18n.ts";
import { isVideoCode, videoCodeIn } from "./video.ts";
import { VideoThumbnail } from "./VideoThumbnail.tsx";

/** Adds or edits a help video: title, code, description (Y-03). */
export function HelpDialog({ help, onClose }: { readonly help: Help | undefined; readonly onClose: () => void }) {
  const t = useMessages(helpMessages);
  const record = useMessages(recordMessages);
  const save = helpsResource.useSave();
  return (
    <FormDialog<HelpBody>
      title={help ? t("edit", { name: help.title }) : t("add")}
      values={{ title: help?.title ?? "", video: help?.video ?? "", description: help?.description ?? "" }}
      schema={() => import("#schemas/helps").then((module) => module.helpBody)}
      savedText={record("done")}
      failedText={t("saveFailed")}
      onClose={onClose}
      onSave={(whole, changed) => save.mutateAsync({ id: help?.id, body: help ? changed : whole })}
    >
      {(form, errorOf) => {
        const video = form.watch("video");
        return (
          <>
            <TextField label={t("titleField")} maxLength={100} error={errorOf("title")} {...form.register("title")} />
            <TextField
              label={t("video")}
              hint={t("videoHint")}
              autoComplete="off"
              spellCheck={false}
              error={errorOf("video")}
              {...form.register("video", { setValueAs: videoCodeIn })}
            />
            {isVideoCode(video) && (
              <Preview>
                <VideoThumbnail video={video} />
              </Preview>
            )}
            <TextArea
              label={t("description")}
              isOptional
              maxLength={500}
              error={errorOf("description")}
              {...form.register("description")}
            />
          </>
        );
      }}
    </FormDialog>
  );
}

const Preview = styled("div")({ width: 192, maxWidth: "100%", borderRadius: 8, overflow: "hidden" });

import { fillCampaignText, type CampaignContact, type CampaignVariable } from "@prosa/contract/campaign-texts";
import { ChevronLeft, ChevronRight, FileText } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { BubbleFrame, RichText } from "#web/features/messages/index.ts";
import { useMessages } from "#web/lib/text/i18n.ts";
import { phoneText } from "#web/lib/text/phone.ts";
import type { ChosenFile } from "#web/ui/fields/FileField.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { color } from "#web/ui/theme.ts";
import { writtenVariants, type CampaignValues } from "./campaign-form.ts";
import type { ShownText } from "./CampaignTexts.tsx";
import { dialogMessages } from "./dialog.i18n.ts";
import type { SampleContacts } from "./useSampleContacts.ts";

/** How the campaign arrives at a contact: the request and its answer where it asks first, then message, file and file list. */
export function CampaignPreview(props: {
  readonly values: CampaignValues;
  readonly shown: ShownText;
  readonly onShow: (shown: ShownText) => void;
  readonly sample: SampleContacts;
  readonly variables: readonly CampaignVariable[];
  readonly fileList: { readonly text: string; readonly files: readonly string[] } | undefined;
}) {
  const { values, shown, onShow, sample, variables, fileList } = props;
  const t = useMessages(dialogMessages);
  const written = writtenVariants(values, shown.kind);
  const at = written.indexOf(shown[shown.kind]);
  const show = (index: number) => onShow({ ...shown, [shown.kind]: written[index] ?? 1 });
  const request = values[`confirmationMessage${shown.confirmationMessage as 1}`];
  const text = values[`message${shown.message as 1}`];
  const { file } = values;
  const isEmpty = text.trim() === "" && file === null && fileList === undefined;

  return (
    <Frame aria-label={t("preview")}>
      <Head>
        <Stepper
          previous={t("previousContact")}
          next={t("nextContact")}
          onPrevious={sample.previous}
          onNext={sample.next}
        >
          <b>{sample.contact.name}</b>
          <small>{phoneText(sample.contact.number)}</small>
        </Stepper>
      </Head>
      <Chat aria-live="polite">
        {values.confirmation && request.trim() !== "" && (
          <>
            <Bubble text={request} contact={sample.contact} variables={variables} />
            <Aside>{t("previewYesHint")}</Aside>
            <BubbleFrame isOwn={false} hasTail gap="below">
              {t("previewYes")}
            </BubbleFrame>
          </>
        )}
        {isEmpty ? (
          <Aside>{t("previewEmpty")}</Aside>
        ) : (
          (text.trim() !== "" || file !== null) && (
            <Bubble text={text} contact={sample.contact} variables={variables} file={file} />
          )
        )}
        {fileList && (
          <BubbleFrame isOwn gap="below">
            <Text>
              <RichText text={fileList.text} />
            </Text>
          </BubbleFrame>
        )}
        {fileList?.files.map((name, index) => (
          <BubbleFrame key={`${index} ${name}`} isOwn gap={index === fileList.files.length - 1 ? "below" : undefined}>
            <Attached>
              <FileText aria-hidden size={16} /> <span>{name}</span>
            </Attached>
          </BubbleFrame>
        ))}
      </Chat>
      {written.length > 1 && (
        <Foot>
          <Stepper
            previous={t("previousText")}
            next={t("nextText")}
            onPrevious={at > 0 ? () => show(at - 1) : undefined}
            onNext={at < written.length - 1 ? () => show(at + 1) : undefined}
          >
            <small>{t("textOf", { n: shown[shown.kind] })}</small>
          </Stepper>
        </Foot>
      )}
      {sample.note !== undefined && <Note>{sample.note}</Note>}
    </Frame>
  );
}

function Bubble(props: {
  readonly text: string;
  readonly contact: CampaignContact;
  readonly variables: readonly CampaignVariable[];
  readonly file?: ChosenFile | null;
}) {
  return (
    <BubbleFrame isOwn hasTail gap="below">
      {props.file && <PreviewFile file={props.file} />}
      <Text>
        <RichText text={fillCampaignText(props.text, props.contact, props.variables)} />
      </Text>
    </BubbleFrame>
  );
}

const pictureName = /\.(png|jpe?g|gif|webp)$/iu;
const videoName = /\.(mp4|webm|mov|3gp)$/iu;

function PreviewFile({ file }: { readonly file: ChosenFile }) {
  const address = useAddress(file);
  if (address !== undefined && pictureName.test(file.name)) {
    return <Picture src={address} alt={file.name} />;
  }
  if (address !== undefined && videoName.test(file.name)) {
    return <Video src={address} controls aria-label={file.name} />;
  }
  return (
    <Attached>
      <FileText aria-hidden size={16} /> <span>{file.name}</span>
    </Attached>
  );
}

/** Of the stored file its own, of one that was just chosen a temporary one. */
function useAddress(file: ChosenFile): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!(file instanceof File)) {
      setAddress(file.url);
      return undefined;
    }
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}

function Stepper(props: {
  readonly previous: string;
  readonly next: string;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  return (
    <Steps>
      <IconButton size="small" label={props.previous} disabled={!props.onPrevious} onClick={() => props.onPrevious?.()}>
        <ChevronLeft />
      </IconButton>
      <span>{props.children}</span>
      <IconButton size="small" label={props.next} disabled={!props.onNext} onClick={() => props.onNext?.()}>
        <ChevronRight />
      </IconButton>
    </Steps>
  );
}

const Frame = styled("section")({
  display: "flex",
  flexDirection: "column",
  minHeight: 260,
  border: `1px solid ${color.line}`,
  borderRadius: 12,
  overflow: "hidden",
  backgroundColor: color.background,
});
const Head = styled("header")({
  padding: "4px 6px",
  backgroundColor: color.panel,
  borderBottom: `1px solid ${color.line}`,
});
const Foot = styled("footer")({
  padding: "2px 6px",
  borderTop: `1px solid ${color.line}`,
  backgroundColor: color.panel,
});
const Steps = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 6,
  "& > span": {
    flex: 1,
    minWidth: 0,
    display: "flex",
    flexDirection: "column",
    alignItems: "center",
    lineHeight: 1.3,
    textAlign: "center",
  },
  "& b": {
    maxWidth: "100%",
    fontSize: 13,
    fontWeight: 600,
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
  },
  "& small": { fontSize: 12, color: color.ink2, fontVariantNumeric: "tabular-nums" },
});
const Chat = styled("div")({
  flex: 1,
  display: "flex",
  flexDirection: "column",
  justifyContent: "flex-end",
  padding: "12px 0",
  minHeight: 180,
  maxHeight: 420,
  overflowY: "auto",
  // the column of a conversation is wider than this one
  "& > [data-side]": { padding: "1px 12px" },
});
const Text = styled("div")({ whiteSpace: "pre-wrap", overflowWrap: "anywhere", unicodeBidi: "plaintext" });
const Attached = styled("span")({
  display: "flex",
  alignItems: "center",
  gap: 8,
  minWidth: 0,
  fontWeight: 500,
  "& > svg": { flex: "none", color: color.ink2 },
  "& > span": { minWidth: 0, overflowWrap: "anywhere" },
});
const picture = { display: "block", maxWidth: "100%", maxHeight: 220, marginBottom: 4, borderRadius: 8 } as const;
const Picture = styled("img")(picture);
const Video = styled("video")(picture);
const Aside = styled("p")({
  display: "flex",
  alignItems: "center",
  alignSelf: "center",
  gap: 6,
  padding: "8px 16px",
  fontSize: 12,
  color: color.ink2,
  textAlign: "center",
});
const Note = styled("p")({
  padding: "6px 12px",
  borderTop: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  fontSize: 12,
  lineHeight: 1.35,
  color: color.ink2,
});

import { ImagePlus, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Button } from "#web/ui/Button.tsx";
import { Field } from "#web/ui/fields/Field.tsx";
import { IconButton } from "#web/ui/IconButton.tsx";
import { styled } from "#web/ui/styled.ts";
import { toast } from "#web/ui/Toast.tsx";
import { color } from "#web/ui/theme.ts";
import { administrationMessages } from "./announcements.i18n.ts";

/** A file that was just chosen, or the stored image. */
export type ChosenImage = File | { readonly name: string; readonly address: string };

/** Accepted types; the server checks the bytes. */
const accepted = ["image/png", "image/jpeg"];

/** The image of an announcement: choose, preview, remove. */
export function ImageField(props: {
  readonly image: ChosenImage | null;
  readonly onChange: (image: ChosenImage | null) => void;
}) {
  const { image } = props;
  const t = useMessages(administrationMessages);
  const picker = useRef<HTMLInputElement>(null);
  const choose = (file: File | undefined) => {
    if (file && !accepted.includes(file.type)) {
      toast.error(t("notAnImage"));
    } else if (file) {
      props.onChange(file);
    }
  };
  return (
    <Field label={t("image")} hint={t("imageHint")} isOptional>
      {(control) => (
        <>
          {image && (
            <Chosen>
              <Preview image={image} />
              <span title={image.name}>{image.name}</span>
              <IconButton size="small" label={t("takeOff", { name: image.name })} onClick={() => props.onChange(null)}>
                <X />
              </IconButton>
            </Chosen>
          )}
          <input
            {...control}
            ref={picker}
            type="file"
            hidden
            accept={accepted.join(",")}
            onChange={({ target }) => {
              choose(target.files?.[0]);
              target.value = "";
            }}
          />
          <div>
            <Button icon={<ImagePlus size={16} />} onClick={() => picker.current?.click()}>
              {t(image ? "changeImage" : "chooseImage")}
            </Button>
          </div>
        </>
      )}
    </Field>
  );
}

function Preview({ image }: { readonly image: ChosenImage }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!(image instanceof File)) {
      setAddress(image.address);
      return undefined;
    }
    const made = URL.createObjectURL(image);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [image]);
  return <img src={address} alt="" />;
}

const Chosen = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 10,
  padding: 6,
  border: `1px solid ${color.line}`,
  borderRadius: 8,
  fontSize: 13,
  "& img": { flex: "none", width: 72, height: 48, borderRadius: 4, objectFit: "cover", backgroundColor: color.chip },
  "& > span": { flex: 1, minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
});

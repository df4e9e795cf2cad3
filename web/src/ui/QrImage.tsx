import { useEffect, useState } from "react";
import { size } from "./theme.ts";

/** Draws a QR code in the browser as an image of 256 px (specification 2, section 2), dark on white in both themes. */
export function QrImage({ text, alt }: { readonly text: string; readonly alt: string }) {
  const [image, setImage] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    void import("qrcode").then(async (qr) => {
      const url = await qr.toDataURL(text, { width: size.qr * 2, margin: 1, errorCorrectionLevel: "L" });
      if (isCurrent) {
        setImage(url);
      }
    });
    return () => {
      isCurrent = false;
    };
  }, [text]);
  return image ? <img src={image} width={size.qr} height={size.qr} alt={alt} data-qr={text} /> : null;
}

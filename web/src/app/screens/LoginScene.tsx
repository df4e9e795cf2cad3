import { styled } from "#web/ui/styled.ts";
import { CheckCheck } from "lucide-react";
import { useMessages } from "#web/lib/text/i18n.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { color } from "#web/ui/theme.ts";
import { loginMessages } from "./login.i18n.ts";

/** A sample conversation beside the form. Decoration: hidden from screen readers. */
export function LoginScene() {
  const t = useMessages(loginMessages);
  return (
    <Scene aria-hidden>
      <div>
        <Talk>
          <Who>
            <Avatar name="Camila Souza" size={36} />
            <span>
              <b>Camila Souza</b>
              {t("sampleQueue")} · WhatsApp 1
            </span>
          </Who>
          <Bubble>
            {t("sampleQuestion")} <time>14:28</time>
          </Bubble>
          <Bubble data-own>
            {t("sampleAnswer")}{" "}
            <time>
              14:31 <CheckCheck size={14} />
            </time>
          </Bubble>
          <Bubble>
            {t("sampleThanks")} <time>14:32</time>
          </Bubble>
        </Talk>
        <h2>{t("pitch")}</h2>
        <p>{t("pitchText")}</p>
      </div>
    </Scene>
  );
}

const Scene = styled("div")({
  display: "grid",
  placeItems: "center",
  padding: 48,
  backgroundColor: color.background,
  borderLeft: `1px solid ${color.line}`,
  backgroundImage: `radial-gradient(circle at 1px 1px, ${color.line} 1px, transparent 0)`,
  backgroundSize: "24px 24px",
  "& > div": { maxWidth: 440 },
  "& h2": { marginTop: 40, fontSize: 24, lineHeight: 1.25, fontWeight: 600, letterSpacing: "-0.02em" },
  "& p": { marginTop: 8, fontSize: 15, color: color.ink2 },
});

const Talk = styled("div")({
  display: "flex",
  flexDirection: "column",
  gap: 8,
  padding: 20,
  borderRadius: 16,
  border: `1px solid ${color.line}`,
  backgroundColor: color.panel,
  boxShadow: color.shadow,
});

const Who = styled("div")({
  display: "flex",
  alignItems: "center",
  gap: 12,
  marginBottom: 8,
  fontSize: 12,
  color: color.ink2,
  "& b": { display: "block", fontSize: 14, fontWeight: 600, color: color.ink },
});

const Bubble = styled("div")({
  alignSelf: "flex-start",
  maxWidth: "88%",
  padding: "8px 12px",
  borderRadius: "4px 12px 12px 12px",
  border: `1px solid ${color.line}`,
  fontSize: 14,
  "& time": {
    display: "inline-flex",
    alignItems: "center",
    gap: 3,
    float: "right",
    margin: "5px 0 -2px 10px",
    fontSize: 11,
    color: color.ink2,
  },
  "& svg": { color: color.tick },
  "&[data-own]": {
    alignSelf: "flex-end",
    borderRadius: "12px 4px 12px 12px",
    backgroundColor: color.own,
    borderColor: color.ownLine,
  },
});

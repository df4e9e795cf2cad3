import { styled } from "#web/ui/styled.ts";
import { languageNames, languages, setLanguage, useLanguage } from "#web/lib/text/i18n.ts";
import { color } from "#web/ui/theme.ts";

/** The three languages, switched at once (S-08). */
export function LanguagePicker({ label }: { readonly label: string }) {
  const current = useLanguage();
  return (
    <Group role="group" aria-label={label}>
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={language === current}
          aria-label={`${language.toUpperCase()}: ${languageNames[language]}`}
          title={languageNames[language]}
          onClick={() => setLanguage(language)}
        >
          {language.toUpperCase()}
        </button>
      ))}
    </Group>
  );
}

const Group = styled("div")({
  display: "flex",
  "& button": {
    minWidth: 32,
    height: 32,
    padding: "0 6px",
    border: 0,
    borderRadius: 6,
    background: "none",
    fontSize: 12,
    fontWeight: 500,
    color: color.ink2,
    cursor: "pointer",
    "&:hover": { backgroundColor: color.hover },
    "&[aria-pressed='true']": { color: color.accent, fontWeight: 600 },
  },
});

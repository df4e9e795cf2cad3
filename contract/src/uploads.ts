/** Upload limits that the browser checks before sending. Only the server checks the content. */
export const uploadRules = {
  /** Default of the server; a smaller configured limit is reported as ERR_FILE_TOO_LARGE. */
  maxBytes: 64 * 1024 * 1024,
  /** Extensions of executables and of documents with script. Windows ignores trailing dots and spaces. */
  refusedNames:
    /\.(exe|dll|com|bat|cmd|msi|scr|pif|cpl|lnk|hta|vbs?|vbe|jse?|mjs|wsf|ps1|psm1|sh|bash|jar|apk|app|dmg|deb|rpm|html?|xhtml|shtml|svgz?|xsl|php\d?|phtml)[.\s\p{Cf}]*$/iu,
} as const;

/** Of files that people send, what both sides know before a byte has left. Their content is judged by the server alone. */
export const uploadRules = {
  /** The server's own default; a smaller limit of its own is told by ERR_FILE_TOO_LARGE. */
  maxBytes: 64 * 1024 * 1024,
  /** Programs, and documents that a browser would run as script. Windows drops dots and spaces after a name. */
  refusedNames:
    /\.(exe|dll|com|bat|cmd|msi|scr|pif|cpl|lnk|hta|vbs?|vbe|jse?|mjs|wsf|ps1|psm1|sh|bash|jar|apk|app|dmg|deb|rpm|html?|xhtml|shtml|svgz?|xsl|php\d?|phtml)[.\s\p{Cf}]*$/iu,
} as const;

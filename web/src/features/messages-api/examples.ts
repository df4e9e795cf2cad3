/** Examples of the messages API, ready to copy: with the address of this installation and the token of a connection (X-02). */

export const exampleLanguages = ["curl", "JavaScript", "PHP", "Python"] as const;
export type ExampleLanguage = (typeof exampleLanguages)[number];

export interface ExampleFacts {
  /** The call's address. */
  readonly url: string;
  /** Empty: a placeholder stands in its place. */
  readonly token: string;
  readonly number: string;
  readonly body: string;
  /** Placeholder of the token. */
  readonly tokenName: string;
  readonly fileName: string;
}

/** The code that sends a text, or with `hasFile` a file with its caption. */
export function exampleOf(language: ExampleLanguage, hasFile: boolean, facts: ExampleFacts): string {
  const token = facts.token || facts.tokenName;
  return (hasFile ? withFile : text)[language]({ ...facts, token });
}

type Write = (facts: ExampleFacts) => string;

/** As a literal that JavaScript, PHP and Python read alike. */
const quoted = (value: string) => JSON.stringify(value);
/** Inside single quotes of a shell. */
const shell = (value: string) => `'${value.replaceAll("'", String.raw`'\''`)}'`;
/** PHP would read a dollar sign in double quotes. */
const php = (value: string) => `'${value.replaceAll(/['\\]/gu, String.raw`\$&`)}'`;

const text: Readonly<Record<ExampleLanguage, Write>> = {
  curl: ({ url, token, number, body }) =>
    [
      `curl -X POST ${shell(url)} \\`,
      `  -H ${shell(`Authorization: Bearer ${token}`)} \\`,
      "  -H 'Content-Type: application/json' \\",
      "  -H 'Idempotency-Key: pedido-1001' \\",
      `  -d ${shell(JSON.stringify({ number, body }))}`,
    ].join("\n"),
  JavaScript: ({ url, token, number, body }) => `const response = await fetch(${quoted(url)}, {
  method: "POST",
  headers: {
    Authorization: ${quoted(`Bearer ${token}`)},
    "Content-Type": "application/json",
    "Idempotency-Key": "pedido-1001",
  },
  body: JSON.stringify({ number: ${quoted(number)}, body: ${quoted(body)} }),
});
console.log(response.status, await response.json());`,
  PHP: ({ url, token, number, body }) => `<?php
$call = curl_init(${php(url)});
curl_setopt_array($call, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        ${php(`Authorization: Bearer ${token}`)},
        'Content-Type: application/json',
        'Idempotency-Key: pedido-1001',
    ],
    CURLOPT_POSTFIELDS => json_encode(['number' => ${php(number)}, 'body' => ${php(body)}]),
]);
echo curl_exec($call);`,
  Python: ({ url, token, number, body }) => `import requests

response = requests.post(
    ${quoted(url)},
    headers={
        "Authorization": ${quoted(`Bearer ${token}`)},
        "Idempotency-Key": "pedido-1001",
    },
    json={"number": ${quoted(number)}, "body": ${quoted(body)}},
)
print(response.status_code, response.json())`,
};

const withFile: Readonly<Record<ExampleLanguage, Write>> = {
  curl: ({ url, token, number, body, fileName }) =>
    [
      `curl -X POST ${shell(url)} \\`,
      `  -H ${shell(`Authorization: Bearer ${token}`)} \\`,
      `  -F ${shell(`number=${number}`)} \\`,
      `  -F ${shell(`body=${body}`)} \\`,
      `  -F ${shell(`medias=@${fileName}`)}`,
    ].join("\n"),
  JavaScript: ({ url, token, number, body, fileName }) => `import { openAsBlob } from "node:fs";

const form = new FormData();
form.set("number", ${quoted(number)});
form.set("body", ${quoted(body)});
form.append("medias", await openAsBlob(${quoted(fileName)}), ${quoted(fileName)});

const response = await fetch(${quoted(url)}, {
  method: "POST",
  headers: { Authorization: ${quoted(`Bearer ${token}`)} },
  body: form,
});
console.log(response.status, await response.json());`,
  PHP: ({ url, token, number, body, fileName }) => `<?php
$call = curl_init(${php(url)});
curl_setopt_array($call, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [${php(`Authorization: Bearer ${token}`)}],
    CURLOPT_POSTFIELDS => [
        'number' => ${php(number)},
        'body' => ${php(body)},
        'medias' => new CURLFile(${php(fileName)}),
    ],
]);
echo curl_exec($call);`,
  Python: ({ url, token, number, body, fileName }) => `import requests

with open(${quoted(fileName)}, "rb") as file:
    response = requests.post(
        ${quoted(url)},
        headers={"Authorization": ${quoted(`Bearer ${token}`)}},
        data={"number": ${quoted(number)}, "body": ${quoted(body)}},
        files={"medias": file},
    )
print(response.status_code, response.json())`,
};

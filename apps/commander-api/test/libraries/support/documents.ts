import { readFileSync } from 'node:fs';

export const ROOT = new URL('../../../../../', import.meta.url);

/** The text of a page of docs. */
export const readDocument = (document: string): string =>
  readFileSync(new URL(`docs/${document}`, ROOT), 'utf8');

/** The fenced blocks of a page in one language. */
export function blocks(document: string, language: string): string[] {
  return [...readDocument(document).matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, found, text]) =>
    found === language ? [text!] : [],
  );
}

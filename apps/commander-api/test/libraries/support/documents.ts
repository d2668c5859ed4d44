import { spawnSync } from 'node:child_process';
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

/** Runs lines of shell as a reader would type them, `svccmd` and all. */
export function runShell(
  lines: readonly string[],
  folder: string,
): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-c', ['set -e -o pipefail', ...lines].join('\n')],
    { cwd: folder, env: { PATH: `${folder}/bin:${process.env['PATH']}` }, encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

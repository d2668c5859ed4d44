import { readdirSync, readFileSync } from 'node:fs';
import { ROOT } from './services.js';

export const readPage = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');

/** The rows of tables whose header starts with a word; cells are trimmed. */
export function tableRows(page: string, firstHeader: string): string[][] {
  const rows: string[][] = [];
  let isWanted = false;
  for (const line of page.split('\n')) {
    if (!line.startsWith('|')) isWanted = false;
    else if (isWanted) rows.push(cellsOf(line));
    else isWanted = cellsOf(line)[0] === firstHeader;
  }
  return rows.filter(([first]) => !/^-+$/.test(first ?? ''));
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** The texts between backticks. */
export function quoted(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);
}

/** The product's own sources, without tests. */
export function sources(folders: readonly string[]): { readonly path: string; readonly text: string }[] {
  return folders
    .flatMap((folder) =>
      readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((path) => /\.(ts|mjs|js)$/.test(path) && !path.endsWith('.spec.ts'))
    .map((path) => ({ path, text: readPage(path) }));
}

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Makes a temporary folder with these files; `null` removes a file. */
export async function makeFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-library-'));
  await writeFiles(folder, files);
  return folder;
}

export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array | null>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    if (content === null) await rm(target, { recursive: true });
    else await writeFile(target, content);
  }
}

/** A small library of declarations, with what is special about them. */
export const LIBRARY: Readonly<Record<string, string>> = {
  'Parsers/Linux/10_ssh.yaml': '---\ndefine:\n  type: parser/cascade\nparse:\n  !REGEX\n  what: !EVENT\n',
  'Parsers/Linux/20_sudo.yaml': 'define: {type: parser}\n',
  'Correlators/Login.yaml': 'define:\n  type: correlator\nwhen: !EQ [!ITEM EVENT user, root]\n',
  'Lookups/ports.csv': 'port,name\n22,ssh\n',
  'Dashboards/Übersicht.json': '{"title": "Übersicht"}',
};

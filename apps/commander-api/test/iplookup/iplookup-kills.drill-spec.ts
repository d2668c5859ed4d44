import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordFigure } from '@svc/test-servers';
import { runUntilChange } from './file-changes.js';
import { EPOCH, removeLookupFolders } from './lookup-folder.js';
import { ALLOWED, makeRemoteFolder, type RemoteFolder } from './remote-folder.js';
import { sendFile, type SourceServer, startSourceServer } from './source-server.js';

afterAll(removeLookupFolders);

const POINTS = Number(process.env['DRILL_POINTS'] ?? 10);

const csv = (value: string): string =>
  `network,v\n${Array.from({ length: 20_000 }, (_, index) => `10.${index >> 8}.${index & 255}.0/24,${value} ${index}\n`).join('')}`;

let server: SourceServer;
let folder: RemoteFolder;
let round = 0;

beforeAll(async () => {
  server = await startSourceServer();
  folder = makeRemoteFolder(server);
  folder.configure(`${ALLOWED}manifests = yes\n`);
  folder.write('deny.csv', 'network,reason\n10.0.1.0/24,scans\n');
  writeFileSync(
    join(folder.path, 'lookups.yaml'),
    `lookups:
  many:
    layers:
      - {source: "${server.origin}/many.csv", input_ip_format: cidr, checksum: true}
      - {source: deny.csv, input_ip_format: cidr, set: [denied=yes]}
`,
  );
});
afterAll(async () => server.stop());

/** Changes the source. @returns its values */
function publish(): string {
  const value = `round ${++round}`;
  server.answers = {
    '/many.csv': sendFile(csv(value)),
    '/many.csv.sha256': sendFile(sha256(csv(value))),
  };
  return value;
}

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

async function svccmd(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await folder.run(...args);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** The lookup in place is sound and, with its manifest, of one version of the source. @returns its values */
async function standing(): Promise<string> {
  const file = join(folder.lookups, 'many.mmdb');
  await svccmd('verify', file);
  const shown = await svccmd('show', 'many', '10.0.1.1', '--json');
  const [value] = /round \d+(?= 1")/.exec(shown)!;
  const manifest = join(folder.lookups, '.history', 'many.mmdb', `${sha256(readFileSync(file))}.json`);
  expect(readFileSync(manifest, 'utf8')).toContain(sha256(csv(value!)));
  return value!;
}

/** What is noted about the lookup in place is about it, and a rollback leads to the one before, and back. */
async function expectKept(value: string, before: string): Promise<void> {
  expect(await standing()).toBe(value);
  expect(await svccmd('explain', 'many', '10.0.1.1')).toContain(`v: ${value} 1 `);
  await svccmd('rollback', 'many');
  expect(await standing()).toBe(before);
  await svccmd('rollback', 'many');
  expect(await standing()).toBe(value);
}

const leftovers = () =>
  readdirSync(folder.lookups, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes('partial'),
  );

async function sync(moment?: number | string) {
  const env = { SOURCE_DATE_EPOCH: EPOCH };
  return runUntilChange(['iplookup', 'sync'], { cwd: folder.path, env }, moment);
}

test('kill -9 of a sync before each change of a file: what belongs to the lookup in place stays with it', async () => {
  let before = publish();
  await sync();
  let former = publish();
  const { changes } = await sync();
  const step = Math.ceil(changes.length / POINTS);
  const numbers = Array.from({ length: Math.floor(changes.length / step) }, (_, index) => (index + 1) * step);
  const stood = { former: 0, new: 0 };
  for (const moment of [...numbers, 'before rename many.mmdb', 'after rename many.mmdb']) {
    const next = publish();
    const killed = await sync(moment);
    const place = { moment, change: killed.changes.at(-1), stderr: killed.stderr };
    const isNew = (await standing()) === next;
    await expectKept(isNew ? next : former, isNew ? former : before);
    // A download comes in more or fewer pieces each time, so the last numbers may not be reached.
    if (killed.code === undefined) stood[isNew ? 'new' : 'former']++;
    const result = isNew ? /unchanged/ : /built/;
    expect({ ...place, next: await svccmd('sync') }).toEqual({
      ...place,
      next: expect.stringMatching(result),
    });
    await expectKept(next, former);
    expect({ ...place, leftovers: leftovers() }).toEqual({ ...place, leftovers: [] });
    [before, former] = [former, next];
  }
  recordFigure(
    'sync of a URL, killed before a change of a file: changes, kills',
    `${changes.length}, ${stood.former + stood.new}`,
  );
  recordFigure('the former lookup stood, the new one did', `${stood.former}, ${stood.new}`);
  // A drill in which only one of them stood would prove nothing.
  expect(Math.min(stood.former, stood.new)).toBeGreaterThan(0);
}, 1_800_000);

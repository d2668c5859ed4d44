import {
  GitRepository,
  type GitServer,
  startGitServer,
  startZookeeper,
  type ZookeeperServer,
} from '@svc/test-servers';
import { LIBRARY } from '../libraries/support/library-folder.js';
import { exampleFolderPerTest } from './example-folder.js';
import { examplesOf, type Proof, proveExample } from './prove-example.js';

const LOAD = 'svccmd library load';
const loadOf = (version: number): string => `${LOAD} --ref v${version}`;

/** Beside the unnamed library. */
const NAMED = `printf "[library:parsers]\nsource.path = $SVCCMD_SOURCE_PATH\ndestination.path = $SVCCMD_DESTINATION_PATH-parsers\n" >> svccmd.conf`;
const loadParsersOf = (version: number): string => `${LOAD} parsers --ref v${version}`;

/** Of the commands that take the library out of a Git repository into ZooKeeper. */
const PROOFS: Readonly<Record<string, Proof>> = {
  'svccmd library validate': { shows: /^valid: 5 files in 5 folders, \d+ bytes$/m },
  'svccmd library validate ./library': { shows: /^valid: 5 files in 5 folders, \d+ bytes$/m },
  'svccmd library validate parsers ./library': {
    after: [NAMED],
    shows: /^valid: 5 files in 5 folders, \d+ bytes$/m,
  },
  'svccmd library load parsers': {
    after: [NAMED],
    shows: /-parsers\n[^]*^load 1 is done, version 2 /m,
    leaves: 'svccmd library history | grep -qx "nothing has been loaded yet"',
  },
  'svccmd library rollback parsers 2': {
    after: [NAMED, ...[1, 2, 3].map(loadParsersOf)],
    shows: /^load 4 is done, version 5 /m,
  },
  'svccmd library diff': { shows: /^\+ Correlators\/Login\.yaml\n[^]*^dry run: nothing was written /m },
  'svccmd library diff --exit-code': { after: [LOAD], shows: /^dry run: the library is up to date /m },
  'svccmd library diff --ref my-branch --format markdown': {
    shows:
      /^### What a load would change\n\nfrom `.*#my-branch` at `\w{12}` into `zookeeper .*`: 11 created,/,
  },
  'svccmd library load': { shows: /^load 1 is done, version 2 /m },
  'svccmd library load --dry-run': {
    shows: /^\d+ to be created, .*\ndry run: nothing was written /m,
    leaves: 'svccmd library history | grep -qx "nothing has been loaded yet"',
  },
  'svccmd library load --if-changed --wait 60': {
    after: [LOAD],
    shows: /^nothing to do: the source is unchanged /m,
  },
  'svccmd library status': { after: [LOAD], shows: /^load 1 {2}.*\nversion 2$/m },
  'svccmd library status --drift': {
    after: [LOAD],
    shows: /^the library is unchanged since the last load$/m,
  },
  'svccmd library history': { after: [loadOf(1), loadOf(2)], shows: /^load 2 {2}.*\nload 1 {2}/ },
  'svccmd library rollback': { after: [loadOf(1), loadOf(2)], shows: /^load 3 is done, version 4 /m },
  'svccmd library rollback --to 7 --dry-run': {
    after: [1, 2, 3, 4, 5, 6, 7, 8].map(loadOf),
    shows: /^~ version\.txt\n[^]*^dry run: nothing was written /m,
  },
  'svccmd library pull ./copy': {
    after: [LOAD],
    shows: /^zookeeper \S+ -> \.\/copy\n5 files in /,
    leaves: 'diff -r library/Parsers copy/Parsers',
  },
  'svccmd library watch --interval 30': {
    runsOn: true,
    shows: /^load 1 is done, version 2 /m,
    leaves: 'svccmd library status --drift',
  },
};

let repository: GitRepository;
let git: GitServer;
let zookeeper: ZookeeperServer;
const folder = exampleFolderPerTest();
let runs = 0;

beforeAll(async () => {
  repository = await GitRepository.create();
  for (let version = 1; version <= 8; version += 1) {
    const files = { ...LIBRARY, 'version.txt': `${version}\n` };
    await repository.commit(files);
    await repository.inWorkTree('tag', `v${version}`);
  }
  await repository.inWorkTree('branch', 'my-branch');
  await repository.commit({ 'version.txt': null });
  git = await startGitServer({ root: repository.root });
  zookeeper = await startZookeeper();
}, 120_000);
afterAll(async () => {
  await zookeeper.stop();
  await git.stop();
  await repository.remove();
});

test('every example is tested', () => {
  expect(Object.keys(PROOFS).sort()).toEqual(
    [...new Set(examplesOf((path) => /^library\b/.test(path)))].sort(),
  );
});

test.each(Object.entries(PROOFS))('%s', async (line, proof) => {
  runs += 1;
  await proveExample(line, proof, folder(), {
    SVCCMD_SOURCE_PATH: `git://${git.address}/library.git`,
    SVCCMD_DESTINATION_URLS: zookeeper.address,
    SVCCMD_DESTINATION_PATH: `/library-${runs}`,
  });
});

// Runs the peer, MaxMind's writer in Perl, installing it from Debian if permitted.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'libmaxmind-db-writer-perl';
const SCRIPT = fileURLToPath(new URL('iplookup-peer.pl', import.meta.url));

/** @returns seconds, CPU seconds and peak memory in MB; `undefined` if the peer is not available */
export function measurePeer({ file, lookup, columns, log }) {
  if (!isHere() && !install(log)) return undefined;
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync('perl', [SCRIPT, file, lookup, ...columns], {
    encoding: 'utf8',
  });
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0) throw new Error(`the peer failed: ${stderr}`);
  return { seconds, ...JSON.parse(stdout) };
}

function isHere() {
  return spawnSync('perl', ['-MMaxMind::DB::Writer::Tree', '-e', '1'], { stdio: 'ignore' }).status === 0;
}

function install(log) {
  const command = ['apt-get', 'install', '-y', '--no-install-recommends', PACKAGE];
  const allowed = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (allowed) {
    log(`installing ${PACKAGE} from Debian`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env });
    spawnSync(command[0], command.slice(1), { stdio: 'ignore', env });
    if (isHere()) return true;
  }
  log(`left out: the comparison with ${PACKAGE}. On Debian, install it with: sudo ${command.join(' ')}`);
  return false;
}

// Debian packages that tests need: servers, and independent readers of our formats.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Package → a file that proves it is installed, its purpose, and whether its tests may be skipped. */
const PACKAGES = {
  'chromium-headless-shell': {
    file: '/usr/bin/chromium-headless-shell',
    purpose: 'opens the admin web UI',
  },
  'firefox-esr': { file: '/usr/bin/firefox-esr', purpose: 'opens the admin web UI, too' },
  curl: { file: '/usr/bin/curl', purpose: 'runs the examples in the documentation' },
  fish: { file: '/usr/bin/fish', purpose: 'tests completion in fish' },
  git: { file: '/usr/bin/git', purpose: 'serves the repositories that libraries are loaded from' },
  gpg: { file: '/usr/bin/gpg', purpose: 'signs and verifies commits' },
  'gpg-agent': { file: '/usr/bin/gpg-agent', purpose: 'holds the keys that sign commits' },
  'groff-base': { file: '/usr/bin/groff', purpose: 'checks the manual pages' },
  'openssh-client': { file: '/usr/bin/ssh-keygen', purpose: 'signs and verifies commits with SSH keys' },
  zsh: { file: '/usr/bin/zsh', purpose: 'tests completion in zsh' },
  zookeeper: { file: '/usr/share/java/zookeeper.jar', purpose: 'the cluster that libraries are loaded into' },
  'python3-kazoo': {
    file: '/usr/lib/python3/dist-packages/kazoo/__init__.py',
    purpose: 'an independent reader of what was loaded',
  },
  'python3-cryptography': {
    file: '/usr/lib/python3/dist-packages/cryptography/__init__.py',
    purpose: 'decrypts passwords without our code',
  },
  'python3-jwcrypto': {
    file: '/usr/lib/python3/dist-packages/jwcrypto/__init__.py',
    purpose: 'another independent reader of encrypted passwords',
  },
  'python3-authlib': {
    file: '/usr/lib/python3/dist-packages/authlib/__init__.py',
    purpose: 'the example authorization server in Python',
  },
  'python3-flask': {
    file: '/usr/lib/python3/dist-packages/flask/__init__.py',
    purpose: 'the example authorization server in Python',
  },
  'python3-urllib3': {
    file: '/usr/lib/python3/dist-packages/urllib3/__init__.py',
    purpose: 'the example authorization server in Python',
  },
  'python3-pyflakes': {
    file: '/usr/lib/python3/dist-packages/pyflakes/__init__.py',
    purpose: 'checks the Python code',
  },
  postgresql: {
    file: '/usr/bin/pg_dump',
    purpose: 'backs up and restores a database, with a server of the same version',
    optional: true,
  },
  'mmdb-bin': { file: '/usr/bin/mmdblookup', purpose: 'an independent reader of lookup files' },
  'python3-maxminddb': {
    file: '/usr/lib/python3/dist-packages/maxminddb/__init__.py',
    purpose: 'another independent reader of lookup files',
  },
};

/** Installs missing packages if permitted (root on Debian); otherwise exits, printing the command to run. */
export function ensureDebianPackages() {
  const missing = Object.entries(PACKAGES).filter(([, { file }]) => !existsSync(file));
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name);
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...names];
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.error('The tests need programs that are not installed:');
    for (const [name, { purpose, optional }] of missing)
      console.error(`  ${name}: ${purpose}${optional ? ' (otherwise that test is skipped)' : ''}`);
    console.error(`Install them with: sudo ${install.join(' ')}`);
    if (missing.every(([, { optional }]) => optional)) return;
    process.exit(1);
  }
  console.log(`Installing ${names.join(', ')} from Debian`);
  // openjdk's post-installation step fails on images without the manual pages' folder.
  run(['mkdir', '-p', '/usr/share/man/man1']);
  if (names.includes('postgresql')) refuseOwnCluster();
  run(['apt-get', 'update', '-qq']);
  run(install);
}

/** By default, Debian's package creates and starts a database cluster; this file prevents it. */
function refuseOwnCluster() {
  const file = '/etc/postgresql-common/createcluster.conf';
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, 'create_main_cluster = false\n');
}

/** @param {string[]} line */
function run(line) {
  const [command, ...args] = line;
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status === 0) return;
  console.error(`${stdout}${stderr}\n${[command, ...args].join(' ')} failed with status ${status}`);
  process.exit(1);
}

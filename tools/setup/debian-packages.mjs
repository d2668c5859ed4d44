// The real parts that tests run against and npm does not bring: servers and foreign readers, from Debian.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Package → a file that shows it is there, and what it is for. */
const PACKAGES = {
  chromium: { file: '/usr/bin/chromium', purpose: 'opens the admin web UI' },
  curl: { file: '/usr/bin/curl', purpose: 'runs the examples of the documentation' },
  fish: { file: '/usr/bin/fish', purpose: 'completes the command line, as a shell of its own' },
  git: { file: '/usr/bin/git', purpose: 'serves the repositories that libraries are loaded from' },
  zsh: { file: '/usr/bin/zsh', purpose: 'completes the command line, as another shell' },
  zookeeper: { file: '/usr/share/java/zookeeper.jar', purpose: 'the cluster that libraries are loaded into' },
  'python3-kazoo': {
    file: '/usr/lib/python3/dist-packages/kazoo/__init__.py',
    purpose: 'an independent reader of what was loaded',
  },
  'python3-cryptography': {
    file: '/usr/lib/python3/dist-packages/cryptography/__init__.py',
    purpose: 'decrypts passwords without our code',
  },
  'mmdb-bin': { file: '/usr/bin/mmdblookup', purpose: 'an independent reader of lookup files' },
  'python3-maxminddb': {
    file: '/usr/lib/python3/dist-packages/maxminddb/__init__.py',
    purpose: 'another independent reader of lookup files',
  },
};

/** Installs what is missing when it may (root on Debian), else ends the process, naming the command to run. */
export function ensureDebianPackages() {
  const missing = Object.entries(PACKAGES).filter(([, { file }]) => !existsSync(file));
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name);
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...names];
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.error('The tests need programs that are not here:');
    for (const [name, { purpose }] of missing) console.error(`  ${name}: ${purpose}`);
    console.error(`Install them with: sudo ${install.join(' ')}`);
    process.exit(1);
  }
  console.log(`Installing ${names.join(', ')} from Debian`);
  // openjdk's post-installation step fails on images that left the manual pages' folder out.
  run(['mkdir', '-p', '/usr/share/man/man1']);
  run(['apt-get', 'update', '-qq']);
  run(install);
}

function run([command, ...args]) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status === 0) return;
  console.error(`${stdout}${stderr}\n${[command, ...args].join(' ')} failed with status ${status}`);
  process.exit(1);
}

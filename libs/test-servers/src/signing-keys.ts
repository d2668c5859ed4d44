import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A key, and how git signs with it. */
export interface SigningKey {
  /** SSH: type and key in base64. OpenPGP: armored. */
  readonly publicKey: string;
  /** Options of git before its command: `git <options> commit -S`. */
  readonly git: readonly string[];
}

/** Private keys in a temporary folder, made by ssh-keygen and gpg. */
export class SigningKeys {
  private constructor(readonly folder: string) {}

  static async create(): Promise<SigningKeys> {
    return new SigningKeys(await mkdtemp(join(tmpdir(), 'svc-keys-')));
  }

  /** Stops the agent that gpg started, too. */
  async remove(): Promise<void> {
    await run('gpgconf', ['--homedir', this.folder, '--kill', 'all']).catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Path of the private key. */
  path(name: string): string {
    return join(this.folder, name);
  }

  /** @param options of ssh-keygen, such as `-t ecdsa -b 384` */
  async ssh(name: string, ...options: string[]): Promise<SigningKey> {
    const file = this.path(name);
    await run('ssh-keygen', ['-q', '-N', '', '-C', name, '-f', file, ...options]);
    const publicKey = (await readFile(`${file}.pub`, 'utf8')).split(' ').slice(0, 2).join(' ');
    return { publicKey, git: ['-c', 'gpg.format=ssh', '-c', `user.signingkey=${file}.pub`] };
  }

  /**
   * @param algorithm such as `rsa2048`
   * @param expiry such as `1d`, counted from `now`
   * @param now gpg's time, such as `20260101T000000`, for signing as well. It stands still: a slow machine would make the key
   *   seconds later than its first signature, which gpg refuses
   */
  async gpg(name: string, algorithm: string, expiry = 'never', now?: string): Promise<SigningKey> {
    const user = `${name} <${name}@example.com>`;
    const options = [
      '--homedir',
      this.folder,
      '--batch',
      '--quiet',
      ...(now ? ['--faked-system-time', `${now}!`] : []),
    ];
    await run('gpg', [
      ...options,
      '--passphrase',
      '',
      '--quick-generate-key',
      user,
      algorithm,
      'sign',
      expiry,
    ]);
    const { stdout } = await run('gpg', [...options, '--armor', '--export', user]);
    const program = await this.program(`gpg-as-${name}`, options);
    return {
      publicKey: stdout,
      git: ['-c', `gpg.program=${program}`, '-c', `user.signingkey=${name}@example.com`],
    };
  }

  /** Runs gpg where {@link gpg} made the keys. @returns what it prints */
  async runGpg(...words: string[]): Promise<string> {
    const options = ['--homedir', this.folder, '--batch', '--quiet', '--yes', '--passphrase', ''];
    return (await run('gpg', [...options, '--pinentry-mode', 'loopback', ...words])).stdout;
  }

  /** @returns options with which git knows only these armored OpenPGP keys */
  async gpgThatKnows(...publicKeys: string[]): Promise<readonly string[]> {
    const homedir = await mkdtemp(this.path('home-'));
    await writeFile(join(homedir, 'keys.asc'), publicKeys.join('\n'));
    const options = ['--homedir', homedir, '--batch', '--quiet', '--no-autostart'];
    await run('gpg', [...options, '--import', join(homedir, 'keys.asc')]);
    return ['-c', `gpg.program=${await this.program(`gpg-in-${basename(homedir)}`, options)}`];
  }

  private async program(name: string, options: readonly string[]): Promise<string> {
    const path = this.path(name);
    await writeFile(path, `#!/bin/sh\nexec gpg ${options.join(' ')} "$@"\n`, { mode: 0o700 });
    return path;
  }
}

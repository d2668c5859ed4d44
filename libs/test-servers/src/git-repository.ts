import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A file's text or bytes, a link's target, or `null` to delete it. */
export type GitFile = string | Uint8Array | { readonly link: string } | null;

/** A bare repository for a git server, and the work tree for committing to it. */
export class GitRepository {
  private constructor(
    /** Folder for `startGitServer`. */
    readonly root: string,
    /** Name below the root, without `.git`. */
    readonly name: string,
    private readonly workTree: string,
  ) {}

  /** Creates an empty repository `<root>/<name>.git` with the default branch `main`. */
  static async create(name = 'library'): Promise<GitRepository> {
    const root = await mkdtemp(join(tmpdir(), 'svc-git-'));
    const workTree = join(root, `${name}.work`);
    const repository = new GitRepository(root, name, workTree);
    await repository.git('init', '--quiet', '--bare', '--initial-branch=main', join(root, `${name}.git`));
    await repository.git('init', '--quiet', '--initial-branch=main', workTree);
    await repository.inWorkTree('remote', 'add', 'origin', join(root, `${name}.git`));
    return repository;
  }

  /** Writes these files, commits everything and pushes. @returns the commit's full SHA-1 */
  async commit(files: Readonly<Record<string, GitFile>>, message = 'Change'): Promise<string> {
    for (const [path, content] of Object.entries(files)) await this.write(path, content);
    await this.inWorkTree('add', '--all');
    await this.inWorkTree('commit', '--quiet', '--allow-empty', '--message', message);
    await this.inWorkTree('push', '--quiet', '--all', 'origin');
    await this.inWorkTree('push', '--quiet', '--tags', 'origin');
    return (await this.inWorkTree('rev-parse', 'HEAD')).trim();
  }

  /** Runs git in the work tree, for anything `commit` does not support; `commit` pushes the result. */
  async inWorkTree(...words: string[]): Promise<string> {
    return this.git('-C', this.workTree, ...words);
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  private async write(path: string, content: GitFile): Promise<void> {
    const target = join(this.workTree, path);
    await mkdir(dirname(target), { recursive: true });
    await rm(target, { recursive: true, force: true });
    if (content === null) return;
    if (typeof content === 'object' && 'link' in content) await symlink(content.link, target);
    else await writeFile(target, content);
  }

  private async git(...words: string[]): Promise<string> {
    const identity = { NAME: 'Test', EMAIL: 'test@example.com', DATE: '2026-01-01T00:00:00Z' };
    const env: NodeJS.ProcessEnv = {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
    };
    for (const role of ['AUTHOR', 'COMMITTER']) {
      for (const [key, value] of Object.entries(identity)) env[`GIT_${role}_${key}`] = value;
    }
    const { stdout } = await run('git', words, { env, maxBuffer: 64 << 20 });
    return stdout;
  }
}

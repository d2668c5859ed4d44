import { chmod, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolders } from '@svc/foundation/files';
import { lockFolder } from './folder-lock.js';

/** Bytes of `sun_path` without its terminating NUL (unix(7)). */
const MAX_SOCKET_PATH_BYTES = 107;

/** PostgreSQL's default of 128 MB takes most of a start to clear; the system caches the files, too. */
const SHARED_BUFFERS = '16MB';

/** A PostgreSQL inside this process, reached through a socket like any other. */
export interface EmbeddedDatabase {
  /** Folder of the Unix socket, which `pg` accepts as a host. */
  readonly host: string;
  /** Flushes everything to disk. Close every connection first. */
  close(): Promise<void>;
}

/**
 * Starts PGlite (PostgreSQL in WebAssembly) on the data below `dataDir`, behind a Unix socket. The socket accepts any
 * password, so its folder has mode 0700. All its connections share one session; use one at a time.
 *
 * @throws {FolderInUseError} when another process runs on the same data
 * @throws {Error} when the path is too long for a socket
 */
export async function startEmbeddedDatabase(dataDir: string): Promise<EmbeddedDatabase> {
  const root = resolve(dataDir, 'embedded-database');
  const socket = join(root, '.s.PGSQL.5432');
  if (Buffer.byteLength(socket) > MAX_SOCKET_PATH_BYTES - '.lock.0123456789ab.stale'.length) {
    throw new Error(`${root} is too long a path for a Unix socket; choose a shorter DATA_DIR`);
  }
  await makeFolders(root, 0o700);
  await chmod(root, 0o700);
  const unlock = await lockFolder(root);
  try {
    return await serve(root, socket, unlock);
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function serve(root: string, socket: string, unlock: () => Promise<void>): Promise<EmbeddedDatabase> {
  // 27 MB of WebAssembly, which a service with a DATABASE_URL never loads.
  const { PGlite } = await import('@electric-sql/pglite');
  const { pg_trgm } = await import('@electric-sql/pglite/contrib/pg_trgm');
  const { PGLiteSocketServer } = await import('@electric-sql/pglite-socket');
  // A killed process leaves its socket behind; the lock proves that none listens on it.
  await rm(socket, { force: true });
  const startParams = [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`];
  const db = await PGlite.create(join(root, 'data'), { extensions: { pg_trgm }, startParams });
  const server = new PGLiteSocketServer({ db, path: socket });
  await server.start();
  return {
    host: root,
    close: async () => {
      await server.stop();
      await db.close();
      await unlock();
    },
  };
}

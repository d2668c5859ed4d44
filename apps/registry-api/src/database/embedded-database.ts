import { chmod, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { lockFolder } from './folder-lock.js';

/** Bytes of `sun_path` less its ending NUL (unix(7)). */
const MAX_SOCKET_PATH_BYTES = 107;

/** A PostgreSQL inside this process, reached like any other: through a socket. */
export interface EmbeddedDatabase {
  /** Folder with the Unix socket, as `pg` takes it for a host. */
  readonly host: string;
  /** Writes everything out. To be called once every connection is closed. */
  close(): Promise<void>;
}

/**
 * Starts PGlite (PostgreSQL in WebAssembly) on the data below `dataDir`, behind a Unix socket. The socket takes any
 * password, so it stands in a folder of mode 0700. All its connections share one session; use one at a time.
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
  await mkdir(root, { recursive: true, mode: 0o700 });
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
  // What a killed process left: the lock says that nobody listens there.
  await rm(socket, { force: true });
  const db = await PGlite.create(join(root, 'data'), { extensions: { pg_trgm } });
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

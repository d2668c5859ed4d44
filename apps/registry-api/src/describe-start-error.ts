import { resolve, sep } from 'node:path';
import type { Config } from './config.js';
import { parseConnectionUrl } from './database/connection-url.js';
import {
  DatabaseUnavailableError,
  isConnectionError,
  UnsupportedDatabaseError,
} from './database/database-errors.js';

type Settings = Pick<Config, 'ADDRESS' | 'PORT' | 'DATA_DIR' | 'DATABASE_URL'>;

/** The setting, the reason and the remedy if the environment made the start fail. Never contains credentials. */
export function describeStartError(error: unknown, settings?: Settings): string {
  const message = error instanceof Error ? error.message : String(error);
  if (settings === undefined) return message;
  const failure = error as NodeJS.ErrnoException;
  return (
    describeListenError(failure, settings) ??
    describeFolderError(failure, settings) ??
    describeDatabaseError(failure, settings.DATABASE_URL) ??
    message
  );
}

const FOLDER_ERRORS = ['EACCES', 'ENOENT', 'ENOTDIR', 'EROFS'];

function describeFolderError(
  { code = '', path, message }: NodeJS.ErrnoException,
  { DATA_DIR }: Settings,
): string | undefined {
  if (path === undefined || !FOLDER_ERRORS.includes(code)) return undefined;
  const [file, folder] = [path, DATA_DIR].map((each) => resolve(each) + sep) as [string, string];
  // An error of creating the folder may name one above it.
  return file.startsWith(folder) || folder.startsWith(file)
    ? `DATA_DIR: ${message}; let the user of this process write to the folder, or set another DATA_DIR`
    : undefined;
}

function describeListenError(
  { code, syscall }: NodeJS.ErrnoException,
  { ADDRESS, PORT }: Settings,
): string | undefined {
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined;
  if (code === 'EADDRINUSE') {
    return `PORT: ${ADDRESS} port ${PORT} is already in use (${code}); stop the other program, or set another PORT`;
  }
  if (code === 'EACCES') {
    return `PORT: no permission to listen on ${ADDRESS} port ${PORT} (${code}); use a port from 1024 up`;
  }
  return code === 'EADDRNOTAVAIL' || code === 'EINVAL' || (syscall === 'getaddrinfo' && isHostName(ADDRESS))
    ? `ADDRESS: ${ADDRESS} is not an address of this machine (${code}); set one, such as 127.0.0.1 or 0.0.0.0`
    : undefined;
}

/** Distinguishes resolving the name to listen on from resolving that of the database. */
function isHostName(address: string): boolean {
  return !/^[\d.:a-f]+$/i.test(address) && address !== 'localhost';
}

/** By SQLSTATE (PostgreSQL documentation, appendix A). */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'rejected the user or the password',
  '28000': 'rejected the user',
  '3D000': 'has no such database: create it',
  '42501': 'denies the user permission for this: grant it, or run `migrate` as a role that has it',
};

function describeDatabaseError(error: NodeJS.ErrnoException, url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const { servers, database } = parseConnectionUrl(url);
  const hosts = servers.map(({ host, port }) => `${host}:${port}`).join(' and ');
  const place = `DATABASE_URL: PostgreSQL at ${hosts}/${database}`;
  const unsupported = unsupportedReason(error);
  if (unsupported !== undefined) return `${place} cannot be used: ${unsupported}`;
  const file = unreadableFile(error);
  if (file !== undefined)
    return `DATABASE_URL: a file for the connection to PostgreSQL cannot be read: ${file}`;
  const { code = error.message } = error;
  const refusal = REFUSALS[code];
  if (refusal !== undefined) return `${place} ${refusal} (${code}: ${error.message})`;
  if (!isConnectionError(error)) return undefined;
  return `${place} cannot be reached (${code}); is it running, and is the address right?`;
}

function unsupportedReason(error: unknown): string | undefined {
  const cause = error instanceof DatabaseUnavailableError ? error.cause : error;
  return cause instanceof UnsupportedDatabaseError ? cause.message : undefined;
}

/** The system's message, which names the file: a certificate, or one that contains the URI or the password. */
function unreadableFile(error: unknown): string | undefined {
  const cause =
    error instanceof DatabaseUnavailableError ? (error.cause as NodeJS.ErrnoException) : undefined;
  return cause?.syscall === 'open' ? cause.message : undefined;
}

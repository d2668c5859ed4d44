import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Problem } from '@svc/service-kit';

/** The built console in memory: its page and the files that the page refers to. */
export class UiFiles {
  private readonly index: string | undefined;
  private readonly assets: ReadonlyMap<string, StaticFile>;

  constructor(folder: string) {
    const index = `${folder}/index.html`;
    this.index = existsSync(index) ? readFileSync(index, 'utf8') : undefined;
    this.assets = readStaticFiles(`${folder}/assets`);
  }

  /** @throws {Problem} 404 when the UI was not built */
  page(): string {
    if (this.index === undefined) {
      throw new Problem({
        status: 404,
        detail: 'The console is not built; build it with "npx nx build registry-ui" and start again.',
      });
    }
    return this.index;
  }

  /** @throws {Problem} 404 when the build has no such file */
  asset(name: string): StaticFile {
    const file = this.assets.get(name);
    if (!file) throw new Problem({ status: 404, detail: 'The console has no such file.' });
    return file;
  }
}

interface StaticFile {
  readonly contentType: string;
  readonly plain: Buffer;
  /** Compressed once, when first requested; absent if compression does not help. */
  readonly compressed?: (coding: ContentCoding) => Promise<Buffer>;
}

/** How a file is compressed (RFC 9110, section 8.4.1; RFC 7932). */
export type ContentCoding = 'br' | 'gzip';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Brotli's higher levels take seconds. */
const BROTLI_LEVEL = 9;

const COMPRESS: Readonly<Record<ContentCoding, (plain: Buffer) => Promise<Buffer>>> = {
  br: async (plain) =>
    promisify(brotliCompress)(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL,
        [constants.BROTLI_PARAM_LGWIN]: windowBits(plain.length),
      },
    }),
  gzip: async (plain) => promisify(gzip)(plain),
};

/** Just enough for the whole file: Brotli clears tables as large as its window, which would take most of the time. */
function windowBits(bytes: number): number {
  // The largest window is 16 bytes short of a power of two (RFC 7932, section 9.1).
  const bits = Math.ceil(Math.log2(bytes + 16));
  return Math.min(Math.max(bits, constants.BROTLI_MIN_WINDOW_BITS), constants.BROTLI_DEFAULT_WINDOW);
}

/** Extensions of compressed formats. */
const COMPRESSED = ['.woff2'];

/**
 * Reads the files of a folder, without its subfolders, so that requests can only name these.
 *
 * @returns by name; empty if the folder does not exist
 */
export function readStaticFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const name of namesIn(folder)) files.set(name, staticFile(name, readFileSync(join(folder, name))));
  return files;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function staticFile(name: string, plain: Buffer): StaticFile {
  const extension = extname(name);
  const contentType = CONTENT_TYPES[extension] ?? 'application/octet-stream';
  if (COMPRESSED.includes(extension)) return { contentType, plain };
  const compressed = new Map<ContentCoding, Promise<Buffer>>();
  const compress = async (coding: ContentCoding) => {
    const known = compressed.get(coding) ?? COMPRESS[coding](plain);
    compressed.set(coding, known);
    return known;
  };
  return { contentType, plain, compressed: compress };
}

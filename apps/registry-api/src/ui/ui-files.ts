import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Problem } from '@svc/service-kit';
import { readStaticFiles, type StaticFile } from './static-files.js';

/** The built admin UI, beside this app both in a checkout and in the image. */
const BUILT_UI = fileURLToPath(new URL('../../../registry-ui/dist/', import.meta.url));

/** The built admin UI in memory: its page and the files that the page refers to. */
export class UiFiles {
  private readonly index: string | undefined;
  private readonly assets: ReadonlyMap<string, StaticFile>;

  constructor(folder: string = BUILT_UI) {
    const index = `${folder}/index.html`;
    this.index = existsSync(index) ? readFileSync(index, 'utf8') : undefined;
    this.assets = readStaticFiles(`${folder}/assets`);
  }

  /** @throws {Problem} 404 when the UI was not built */
  page(): string {
    if (this.index === undefined) {
      throw new Problem({
        status: 404,
        detail: 'The admin UI is not built; build it with "npx nx build registry-ui" and start again.',
      });
    }
    return this.index;
  }

  /** @throws {Problem} 404 when the build has no such file */
  asset(name: string): StaticFile {
    const file = this.assets.get(name);
    if (!file) throw new Problem({ status: 404, detail: 'The admin UI has no such file.' });
    return file;
  }
}

// Run by `npx svccmd` in a fresh checkout, before the command has been built.
import { build } from './build.mjs';

process.stderr.write('svccmd: building first; this takes a few seconds\n');
build('commander-api');

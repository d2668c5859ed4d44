#!/usr/bin/env node
import { existsSync } from 'node:fs';

const built = new URL('../dist/cli.js', import.meta.url);
const buildTool = new URL('../../../tools/build-once.mjs', import.meta.url);

// In a checkout the command builds itself the first time it is asked for; an image ships it built.
if (!existsSync(built) && existsSync(buildTool)) await import(buildTool.href);
await import(built.href);

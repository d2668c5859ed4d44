import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

/** Where `npm start` serves the registry: what the development server hands requests to. */
const REGISTRY = 'http://127.0.0.1:8081';

/** The first browsers that know `light-dark()`, by which every colour of ours is told. */
const BROWSERS = ['chrome123', 'firefox120', 'safari17.5'];

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** Each file costs a request, so parts that many screens share are in a few files rather than one per module. */
const CHUNKS = [
  { name: 'start', tags: ['$initial'], priority: 1 },
  { name: 'controls', test: /node_modules/, minShareCount: 4 },
  { name: 'elements', test: /src\/(?:elements|navigation|texts)\/|libs\//, minShareCount: 4 },
];

/** A Mantine component's class names, beside its script. */
const MANTINE_CLASSES = /@mantine\/core\/.*\/(\w+)\.module\.mjs$/;

/** Fails the build if a component of Mantine is used whose styles `src/styles/mantine.ts` does not import. */
const mantineStyles = {
  name: 'mantine-styles',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap(({ modules = {} }) => Object.keys(modules));
    const isLoaded = (name) => modules.some((id) => id.endsWith(`@mantine/core/styles/${name}.css`));
    const names = modules.flatMap((id) => MANTINE_CLASSES.exec(id)?.[1] ?? []);
    const missing = names.filter((name) => !isLoaded(name));
    if (missing.length > 0)
      this.error(`src/styles/mantine.ts does not import the styles of ${missing.join(', ')}`);
  },
};

/**
 * Chromium compiles a file with this comment at its top while it loads, rather than each function when it is first called: most of
 * the start's code is called before the first screen is drawn.
 */
const COMPILE_WHILE_LOADING = '//# allFunctionsCalledOnLoad\n';

/** After Vite, which puts its own code on top. */
const compileHint = {
  name: 'compile-hint',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.isEntry) chunk.code = COMPILE_WHILE_LOADING + chunk.code;
    },
  },
};

export default defineConfig({
  base: '/ui/',
  plugins: [mantineStyles, compileHint],
  define: { 'import.meta.env.CONSOLE_VERSION': JSON.stringify(version) },
  // The registry replaces this in index.html with a fresh nonce for every answer.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: BROWSERS,
    cssTarget: BROWSERS,
    chunkSizeWarningLimit: 800,
    // An inlined asset would be a data: URL, which the policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: { codeSplitting: { groups: CHUNKS } },
      onwarn: (warning, show) => {
        // "use client" speaks to servers that render React; there is none here.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') show(warning);
      },
    },
  },
  server: { proxy: { '^/(client|clients|deleted-clients|token|health|metrics|openapi)': REGISTRY } },
});

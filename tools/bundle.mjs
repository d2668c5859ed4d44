// Bundles a built service: `compiled/`, as compiled, with the packages it uses becomes `dist/`. A service then reads some
// thirty files as it starts instead of two and a half thousand, and an image needs nearly no packages.
//   node tools/bundle.mjs <project>
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What each service starts: its programs and, by the ends of their names, its workers. */
const PROGRAMS = {
  'registry-api': ['main.js'],
  'commander-api': ['main.js', 'cli.js'],
};
const WORKER = /-worker\.js$/;

/** Workers that libraries start. */
const LIBRARY_WORKERS = {
  'registry-api': [],
  'commander-api': ['iplookup-core/dist/files/block-worker.js'],
};

/**
 * Packages that stay files of their own: they read further files beside their code, or may not be in a bundle (openpgp,
 * because of its licence).
 */
export const UNBUNDLED = {
  'registry-api': ['@electric-sql/pglite', '@electric-sql/pglite-socket'],
  'commander-api': ['openpgp'],
};

/** Packages that others load only if they are installed: drivers of TypeORM, parts of Nest, colours. */
const NOT_INSTALLED = new RegExp(
  `^(${[
    ...['@fastify/multipart', '@fastify/view', '@google-cloud/spanner', '@nestjs/platform-express'],
    ...['@nestjs/microservices', '@nestjs/websockets', '@sap/hana-client', 'better-sqlite3', 'expo-sqlite'],
    ...['ioredis', 'mongodb', 'mssql', 'mysql', 'mysql2', 'oracledb', 'pg-native', 'pg-query-stream'],
    ...[
      'react-native-sqlite-storage',
      'redis',
      'sql.js',
      'sqlite3',
      'supports-color',
      'typeorm-aurora-data-api-driver',
    ],
  ].join('|')})(/|$)`,
);

/** Lets the bundler see what ES modules of packages load as CommonJS; it would be missing, or loaded a second time. */
const plainRequire = {
  name: 'plain-require',
  transform: {
    filter: { id: /node_modules/, code: 'createRequire(import.meta.url);' },
    handler: (code) => code.replace(/const require = createRequire\(import\.meta\.url\);/, ''),
  },
};

/** Serves Swagger UI from the files that {@link bundle} copies, not from its package, which has an install script. */
const copiedSwaggerUi = {
  name: 'copied-swagger-ui',
  transform: {
    filter: { id: /node_modules\/@nestjs\/swagger/, code: "require('swagger-ui-dist/absolute-path.js')()" },
    handler: (code) =>
      code.replace("require('swagger-ui-dist/absolute-path.js')()", '`${import.meta.dirname}/swagger-ui`'),
  },
};

/** What the page at `/docs` loads, and the licences. */
const SWAGGER_UI_FILES =
  /^(swagger-ui\.css|swagger-ui-(bundle|standalone-preset)\.js(\.LICENSE\.txt)?|favicon.*|LICENSE|NOTICE)$/;

const [project] = process.argv.slice(2);
if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(project);

async function bundle(name) {
  const folder = `${root}apps/${name}`;
  const workers = readdirSync(`${folder}/compiled`, { recursive: true, encoding: 'utf8' }).filter((path) =>
    WORKER.test(path),
  );
  const unbundled = UNBUNDLED[name];
  const build = await rolldown({
    cwd: root,
    platform: 'node',
    plugins: [copiedSwaggerUi, plainRequire],
    input: [
      ...[...PROGRAMS[name], ...workers].map((path) => `${folder}/compiled/${path}`),
      ...LIBRARY_WORKERS[name].map((path) => `${root}libs/${path}`),
    ],
    external: (id) =>
      NOT_INSTALLED.test(id) || unbundled.some((each) => id === each || id.startsWith(`${each}/`)),
    onLog: (level, log) => {
      if (level === 'warn' && log.code !== 'CIRCULAR_DEPENDENCY') throw new Error(log.message);
    },
  });
  rmSync(`${folder}/dist`, { recursive: true, force: true });
  await build.write({
    dir: `${folder}/dist`,
    format: 'esm',
    // Nest and the API documents go by the names of classes.
    keepNames: true,
    // Workers are found beside the module that starts them.
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  const swaggerUi = `${root}node_modules/swagger-ui-dist`;
  for (const file of readdirSync(swaggerUi).filter((file) => SWAGGER_UI_FILES.test(file)))
    cpSync(`${swaggerUi}/${file}`, `${folder}/dist/swagger-ui/${file}`);
}

// What is published, and under which scope: the one place that decides both.

/**
 * The npm scope of all published packages. Whoever publishes them must own it: otherwise somebody else could publish under
 * the names that your users install.
 */
export const SCOPE = '@svc';

/** The scope of this workspace's imports, which {@link SCOPE} replaces in what is packed. */
export const WORKSPACE_SCOPE = '@svc';

/** Of all packages; `npm publish --provenance` compares it with the repository that a workflow runs in. */
export const REPOSITORY = 'https://github.com/example/svc';

/** Bundled programs, by their project. */
export const PROGRAMS = {
  'commander-api': {
    name: 'svccmd',
    description: 'Encrypts passwords, loads libraries into ZooKeeper, builds IP lookup files',
    keywords: ['cli', 'encryption', 'maxmind', 'mmdb', 'oauth2', 'passwords', 'zookeeper'],
    bin: { svccmd: 'commander-api/bin/svccmd.js' },
    hasManPages: true,
    folders: ['commander-api/bin', 'commander-api/dist'],
  },
  'registry-api': {
    name: 'registry-api',
    description: 'The client registry of an OAuth 2.0 and OpenID Connect authorization server',
    keywords: ['client-registration', 'oauth2', 'oidc', 'openid-connect', 'rfc7591', 'rfc7592'],
    bin: { 'registry-api': 'registry-api/bin/registry-api.js' },
    folders: [
      'registry-api/bin',
      'registry-api/dist',
      'registry-ui/dist/assets',
      'registry-ui/dist/index.html',
    ],
  },
};

/**
 * Libraries, by their folder in `libs`. Each contains the modules it uses of libraries that are not published
 * (`foundation`, `registry-contract`): those have no promises to keep to anyone outside, and no class whose identity matters.
 */
export const LIBRARIES = [
  'client-metadata',
  'iplookup-core',
  'oidc-provider-adapter',
  'password-format',
  'registry-client',
];

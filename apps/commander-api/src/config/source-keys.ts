import type { ConfigKey } from './config-key.js';

/** The keys of `[source]`: where a library comes from. */
export const SOURCE_KEYS: readonly ConfigKey[] = [
  {
    section: 'source',
    key: 'path',
    type: 'location',
    own: true,
    example: 'git://user:deploy_token@git.example.com/library.git',
    description:
      'library source: a folder, or a Git repository as git://<user>:<deploy_token>@<host>/<path>.git',
  },
  {
    section: 'source',
    key: 'ref',
    type: 'text',
    own: true,
    example: 'main',
    description: 'branch, tag or commit of the Git source',
  },
  {
    section: 'source',
    key: 'subfolder',
    type: 'text',
    own: true,
    example: 'library',
    description: "folder within the source that is the library's root",
  },
  {
    section: 'source',
    key: 'exclude',
    type: 'list',
    default: '',
    example: '*.md, drafts/',
    description: 'gitignore patterns of files to exclude, separated by commas',
  },
  {
    section: 'source',
    key: 'max_bytes',
    type: 'bytes',
    default: '536870912',
    description:
      "maximum total size of the library's files, in bytes; a load keeps up to 32 MiB of them in memory, and the rest in a temporary file",
  },
  {
    section: 'source',
    key: 'verify',
    type: { oneOf: ['off', 'ssh', 'gpg'] },
    default: 'off',
    description:
      'load only commits or annotated tags of a Git source that an allowed signer signed and that descend from the one loaded last',
  },
  {
    section: 'source',
    key: 'allowed_signers',
    type: 'path',
    example: 'allowed_signers',
    description:
      'public keys of the allowed signers: for ssh, a file as in ssh-keygen(1); for gpg, armored keys',
  },
  {
    section: 'source',
    key: 'ca',
    type: 'path',
    example: 'git-ca.pem',
    description: "certificates (PEM) to trust for the Git server, in addition to the system's",
  },
  {
    section: 'source',
    key: 'proxy',
    type: 'text',
    example: 'http://proxy.example.com:3128',
    description:
      'HTTP proxy for the Git server, http://<user>:<password>@<host>:<port>, or none (default: HTTPS_PROXY or HTTP_PROXY)',
  },
  {
    section: 'source',
    key: 'timeout',
    field: 'timeoutMs',
    type: 'duration',
    default: '60 s',
    description: 'how long reading the Git source may take',
  },
  {
    section: 'source',
    key: 'max_pack',
    type: 'bytes',
    default: '268435456',
    description:
      'maximum size of what is fetched from the Git server, in bytes; it is kept in a temporary file',
  },
  {
    section: 'source',
    key: 'interval',
    field: 'intervalMs',
    type: 'duration',
    example: '60 s',
    description: 'how often the server checks for changes and loads them; never if not set',
  },
  {
    section: 'source',
    key: 'drift',
    type: { oneOf: ['ignore', 'report', 'repair'] },
    default: 'ignore',
    description:
      'what to do, after each such check, about nodes that others changed or removed since the last load: nothing, report or restore them',
  },
  {
    section: 'source',
    key: 'webhook_secret',
    type: 'text',
    own: true,
    secret: true,
    description: 'secret for POST /library/webhook, which is disabled without one',
  },
  {
    section: 'source',
    key: 'state_path',
    type: 'path',
    example: 'library-state',
    description: 'folder with copies of the last loads, for rollback',
  },
];

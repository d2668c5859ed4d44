import type { ConfigKey } from './config-key.js';

/** Where libraries are stored: rows of the table in `config-keys.ts`. */
export const DESTINATION_KEYS: readonly ConfigKey[] = [
  {
    section: 'destination',
    key: 'urls',
    type: 'text',
    example: 'zookeeper-1:2181,zookeeper-2:2181,zookeeper-3:2181',
    description: 'addresses of the coordination cluster (host:port, between commas), or file:///folder',
  },
  {
    section: 'destination',
    key: 'path',
    type: 'text',
    default: '/library',
    description: 'node path in the cluster under which the library is stored',
  },
  {
    section: 'destination',
    key: 'auth',
    type: 'text',
    secret: true,
    description: 'user:password for the digest authentication of ZooKeeper',
  },
  {
    section: 'destination',
    key: 'allow_plaintext_auth',
    type: 'switch',
    default: 'no',
    description: 'send auth over a connection that is neither TLS nor loopback',
  },
  {
    section: 'destination',
    key: 'acl',
    type: { oneOf: ['open', 'auth', 'read'] },
    default: 'open',
    description:
      'rights on created nodes: everyone (open), only auth (auth), auth writes and everyone reads (read)',
  },
  {
    section: 'destination',
    key: 'tls',
    type: 'switch',
    default: 'no',
    description: 'connect with TLS',
  },
  {
    section: 'destination',
    key: 'tls_ca',
    type: 'path',
    example: 'zookeeper-ca.pem',
    description: 'certificates (PEM) that the cluster must be signed by; those of the system when absent',
  },
  {
    section: 'destination',
    key: 'tls_cert',
    type: 'path',
    example: 'svccmd.crt',
    description: 'own certificate (PEM)',
  },
  {
    section: 'destination',
    key: 'tls_key',
    type: 'path',
    example: 'svccmd.key',
    description: "own certificate's key (PEM)",
  },
  {
    section: 'destination',
    key: 'timeout',
    field: 'timeoutMs',
    type: 'duration',
    default: '10 s',
    description: 'how long to wait for a connection and for one operation',
  },
  {
    section: 'destination',
    key: 'session_timeout',
    field: 'sessionTimeoutMs',
    type: 'duration',
    default: '10 s',
    description:
      'ZooKeeper session to ask for: how long it outlives a lost server, and a lock its killed load',
  },
  {
    section: 'destination',
    key: 'max_reply',
    field: 'maxReplyBytes',
    type: 'bytes',
    default: '4194304',
    description: 'the largest reply to take from ZooKeeper, in bytes (4 MiB)',
  },
  {
    section: 'destination',
    key: 'names',
    type: { oneOf: ['library', 'any'] },
    default: 'library',
    description: 'rules of node names: those of the library (library), or only those of ZooKeeper (any)',
  },
  {
    section: 'destination',
    key: 'version_node',
    type: 'text',
    default: '.version.yaml',
    description: 'name of the node that a load raises for the consumers; "none" for no such node',
  },
];

/** One library: sections and keys as in the file; the tables of keys describe each. */
export interface LibrarySettings {
  /** The name in its section `[library:<name>]`; absent for the unnamed library, which the plain sections describe. */
  readonly name?: string;
  /** Shared by all libraries. */
  readonly pwdencryptor: {
    /** Key file, or the AES key itself as `hex:`, `base64:` or `raw:` text. Never logged as it is. */
    readonly key?: string;
    /** Where `key` was set (`svccmd.conf:2`, the name of a variable), for messages: they must not hold the value. */
    readonly keyOrigin?: string;
    /** Program that prints the key, with its arguments. Never logged as it is. */
    readonly key_command?: string;
    readonly key_commandOrigin?: string;
    /** Files of public keys to seal to; none when absent. */
    readonly recipients?: readonly string[];
  };
  /** Shared by all libraries. */
  readonly iplookup: CommanderConfig['iplookup'];
  readonly source: {
    /** A folder, or a Git URL with its credentials (`git://user:token@host/path.git`). Never logged as it is. */
    readonly path?: string;
    /** Branch, tag or commit; the repository's default branch when absent. */
    readonly ref?: string;
    /** Folder within the source that is the library's root. */
    readonly subfolder?: string;
    /** gitignore patterns of what is not loaded. */
    readonly exclude: readonly string[];
    /** The most that all files may hold together, in bytes; 512 MiB when absent. */
    readonly max_bytes?: number;
    /** How commits are verified; `off` when absent. */
    readonly verify?: 'off' | 'ssh' | 'gpg';
    /** File with the keys that may sign. */
    readonly allowed_signers?: string;
    /** PEM file with certificates to trust for the Git server besides the system ones. */
    readonly ca?: string;
    /** HTTP proxy for the Git server, with its credentials, or `none`. Never logged as it is. */
    readonly proxy?: string;
    /** How long reading the Git source may take, in milliseconds; 60 s when absent. */
    readonly timeoutMs?: number;
    /** The most that may be fetched from the Git server, in bytes; 256 MiB when absent. */
    readonly max_pack?: number;
    /** How often the server looks for a change, in milliseconds; never when absent. */
    readonly intervalMs?: number;
    /** What a watch does about nodes that others changed since the last load; `ignore` when absent. */
    readonly drift?: 'ignore' | 'report' | 'repair';
    /** Secret of `POST /library/webhook`. Never logged. */
    readonly webhook_secret?: string;
    /** Folder with copies of the last loads, for rollback. */
    readonly state_path?: string;
  };
  readonly validate: {
    /** `<gitignore pattern>: <file of a JSON Schema>`. */
    readonly schemas: readonly string[];
    /** `<tag>: <scalar, sequence or mapping>`; any tag may be used when empty. */
    readonly tags: readonly string[];
    /** Tags before the path of another file of the library. */
    readonly includes: readonly string[];
    /** Names of keys whose values must be encrypted. */
    readonly sealed: readonly string[];
    /** What to do about passwords in plain text; `allow` when absent. */
    readonly plain_passwords?: 'allow' | 'warn' | 'refuse';
    /** File that lists what may be in plain text. */
    readonly allow_plain?: string;
    /** Names of keys whose values name lookups. */
    readonly lookups: readonly string[];
  };
  readonly destination: {
    /** ZooKeeper addresses (`host:port,host:port[/chroot]`), or `file:///folder` for a directory. */
    readonly urls?: string;
    /** Node under which the library is stored, such as `/library`. */
    readonly path: string;
    /** `user:password` for ZooKeeper's digest authentication. Never logged. */
    readonly auth?: string;
    /** True when `auth` may be sent over a connection that is neither TLS nor loopback; false when absent. */
    readonly allow_plaintext_auth?: boolean;
    /** Rights on created nodes: everyone, only `auth`, or `auth` writes and everyone reads; `open` when absent. */
    readonly acl?: 'open' | 'auth' | 'read';
    /** Connect with TLS; false when absent. */
    readonly tls?: boolean;
    readonly tls_ca?: string;
    readonly tls_cert?: string;
    readonly tls_key?: string;
    /** How long to wait for a connection and for one operation, in milliseconds. */
    readonly timeoutMs: number;
    /** ZooKeeper session to ask for, in milliseconds; 10 s when absent. */
    readonly sessionTimeoutMs?: number;
    /** The servers' limit on a request, in bytes; ZooKeeper's default when absent. */
    readonly maxRequestBytes?: number;
    /** The largest reply to take from ZooKeeper, in bytes; 4 MiB when absent. */
    readonly maxReplyBytes?: number;
    /** Rules of node names; `library` when absent. */
    readonly names?: 'library' | 'any';
    /** Name of the version node, or `none`; `.version.yaml` when absent. */
    readonly version_node?: string;
  };
}

/** A further token of the HTTP API, for some libraries or for reading lookups, and nothing else. */
export interface TokenSettings {
  /** The name in its section `[token:<name>]`. */
  readonly name: string;
  /** The token itself, ahead of `token_file`. Never logged. */
  readonly token?: string;
  readonly token_file?: string;
  /** Names of libraries. */
  readonly libraries: readonly string[];
  readonly scopes: readonly string[];
}

/** A file in the current folder that was read by default: whoever made the folder may have written it. */
export interface FoundFile {
  /** Its name. */
  readonly file: string;
  /** Keys that it sets, such as `pwdencryptor.key_command`. */
  readonly keys: ReadonlySet<string>;
}

/**
 * The commander's configuration, defaults filled in, relative paths made absolute. Sections and keys as in the file; the
 * table in `config-keys.ts` describes each.
 */
export interface CommanderConfig {
  /** What comes from a file that nobody named; absent if there is none. */
  readonly found?: FoundFile;
  readonly pwdencryptor: LibrarySettings['pwdencryptor'];
  /** The unnamed one first, then as in the file; never empty. */
  readonly libraries: readonly LibrarySettings[];
  readonly tokens: readonly TokenSettings[];
  readonly iplookup: {
    /** Folder with input files. */
    readonly source_path?: string;
    /** Folder for generated lookup files. */
    readonly destination_path?: string;
    /** YAML file with declared lookups. */
    readonly declarations?: string;
    /** How often the server syncs them, in milliseconds; never when absent. */
    readonly intervalMs?: number;
    /** Hosts that sources may be fetched from; none when absent. */
    readonly hosts?: readonly string[];
    /** Non-public addresses that these hosts may have; none when absent. */
    readonly private_networks?: readonly string[];
    /** PEM file with certificates to trust for them besides the usual ones. */
    readonly ca?: string;
    /** How long fetching a source may take, in milliseconds; 10 minutes when absent. */
    readonly timeoutMs?: number;
    /** The largest source to fetch, in bytes; 4 GiB when absent. */
    readonly max_download?: number;
    /** How many former versions of each lookup to keep. */
    readonly keep_versions: number;
    /** How many threads a build over HTTP may use; one when absent. */
    readonly threads?: number;
    /** Whether builds write manifests; false when absent. */
    readonly manifests?: boolean;
    /** Node of the cluster below which lookups are announced; not at all when absent. */
    readonly announce?: string;
    /** URL of the server in announcements. */
    readonly url?: string;
  };
  /** Where `svccmd client` finds the client registry. The reader always fills it in. */
  readonly registry?: {
    readonly url?: string;
    /** API token. Never logged. */
    readonly token?: string;
    /** PEM file with certificates to trust for the registry besides the usual ones. */
    readonly ca?: string;
    /** How long the registry may be silent, in milliseconds; 30 s when absent. */
    readonly timeoutMs?: number;
  };
  readonly http: {
    readonly address: string;
    readonly port: number;
    /** The bearer token itself, ahead of `token_file`. Never logged. */
    readonly token?: string;
    /** File with the bearer token; made at the first start when absent. */
    readonly token_file: string;
    /** File with the hashes of tokens that `svccmd token` manages; the reader always fills it in. */
    readonly api_tokens?: string;
    readonly auth: 'token' | 'none';
    /** True when `auth` none may be served on an address that others can reach; false when absent. */
    readonly allow_open?: boolean;
    /** Addresses or networks whose forwarded headers are believed; none when absent. */
    readonly trusted_proxies?: readonly string[];
    /** Host names that callers use for this server, for `auth` none; none when absent. */
    readonly allowed_hosts?: readonly string[];
    /** Whether `GET /metrics` needs the bearer token; `token` when absent. */
    readonly metrics?: 'token' | 'public';
    /** Whether /openapi.json and /docs answer, without a token; `public` when absent. */
    readonly api_document?: 'public' | 'off';
    /** Least level of log lines; `info` when absent. */
    readonly log_level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  };
}
